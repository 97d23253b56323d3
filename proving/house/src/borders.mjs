// Which room may import from which.
import { dirname, join } from "node:path/posix";
import ts from "typescript";
import { sourceOf } from "./imports.mjs";

const LIBRARY = "packages/moonpack/src/";

/** The folders of the library that stand alone: each imports itself and `bytes`. */
const FORMATS = ["bytes", "msgpack", "protobuf", "pck"];

/** Only these may use what Node has, and Deno and Bun have of it. Everything else also runs in browsers. */
const NODE_ONLY = /^packages\/moonpack\/src\/(node\/|bytes\/utf8\/(node|deno|bun)\.ts|compat\/msgpack-nodejs)/;

/** Returns what is wrong in one file. */
export function borderFaults(path, root) {
  const source = sourceOf(path, root);
  const faults = [];
  for (const name of specifiersOf(source)) {
    const to = name.startsWith(".") ? join(dirname(path), name) : null;
    faults.push(...packageFaults(path, name, to), ...formatFaults(path, to));
  }
  if (path.startsWith(LIBRARY) && !NODE_ONLY.test(path)) faults.push(...nodeFaults(path, source));
  return faults;
}

/** Every module that a file imports or exports from, by `import()` too. */
function specifiersOf(source) {
  const names = [];
  const visit = (node) => {
    const isDeclaration = ts.isImportDeclaration(node) || ts.isExportDeclaration(node);
    if (isDeclaration && node.moduleSpecifier !== undefined) names.push(node.moduleSpecifier.text);
    const isCall = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
    if (isCall && ts.isStringLiteral(node.arguments[0])) names.push(node.arguments[0].text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

/** A package's folder: `packages/moonpack`; null for the root's own folders. */
function packageOf(path) {
  return /^(?:(?:packages|proving|compared)\/[^/]+|tools)(?=\/)/.exec(path)?.[0] ?? null;
}

function packageFaults(path, name, to) {
  const own = packageOf(path);
  if (own === null) return [];
  const isShipped = /^packages\/[^/]+\/src\//.test(path);
  if (isShipped && /^@moonpack\//.test(name))
    return [`${path}: imports ${name}, which is not shipped. What is shipped imports only what is shipped.`];
  if (to === null || packageOf(to) === own || to === own) return [];
  // What proves the library may look into its build.
  if (/^packages\/[^/]+\/dist\//.test(to) && !isShipped) return [];
  // Data of the repository, which no package owns.
  if (/\.jsonl?$/.test(to)) return [];
  return [`${path}: imports ${name}, outside of its package. Import another package by its name.`];
}

function formatFaults(path, to) {
  if (to === null || !path.startsWith(LIBRARY) || !to.startsWith(LIBRARY)) return [];
  const [from] = path.slice(LIBRARY.length).split("/");
  const [other] = to.slice(LIBRARY.length).split("/");
  if (!FORMATS.includes(from) || other === from || (other === "bytes" && from !== "bytes")) return [];
  const rule = from === "bytes" ? "bytes imports only itself" : `${from} imports only itself and bytes`;
  return [`${path}: imports from ${other}. ${rule}: what two formats need belongs to bytes.`];
}

function nodeFaults(path, source) {
  const code = source.text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
  return /(?<!\.)\bBuffer\b(?!\?:)|\bprocess\.|from "node:/.test(code)
    ? [
        `${path}: uses Buffer, process or a Node module. Only src/node and the Node variants may; pass in what you need.`,
      ]
    : [];
}
