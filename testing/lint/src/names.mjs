// How files and folders are named.

/** Names that tools prescribe. */
const PRESCRIBED = /^(?:README|CHANGELOG|CONTRIBUTING|SECURITY|UPGRADING|LICENSE|THIRD-PARTY-LICENSES)(?:\.md)?$/;

/**
 * Lower case, words apart by hyphens, then what kind of file it is: `frame-splitter.node.test.ts`. Go has underscores, a file of
 * Java has the name of its class.
 */
const KEBAB = /^\.?[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*$/;
const SNAKE = /^[a-z0-9]+(?:_[a-z0-9]+)*\.(?:go|mod|sum)$/;
const CLASS = /^[A-Z][A-Za-z0-9]*\.java$/;

/** Returns what is wrong with a path. */
export function nameFaults(path) {
  return path
    .split("/")
    .filter((part) => ![KEBAB, SNAKE, CLASS, PRESCRIBED].some((shape) => shape.test(part)))
    .map((part) => `${path}: ${part} is not in kebab-case. Rename it: lower case, with hyphens between words.`);
}
