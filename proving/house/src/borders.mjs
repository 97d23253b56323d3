// Which room may import from which.
import { packageOf, sourceFile, sourceOf, specifiersOf, targetsOf } from "./specifiers.mjs";

const LIBRARY = "packages/moonpack/src/";

/** The folders of the library that stand alone: each imports itself and `bytes`. */
const FORMATS = ["bytes", "msgpack", "protobuf", "pck"];

/** Only these may use what Node has, and Deno and Bun have of it. Everything else also runs in browsers. */
const NODE_ONLY = /^packages\/moonpack\/src\/(node\/|bytes\/utf8\/(node|deno|bun)\.ts|compat\/msgpack-nodejs)/;

/** Returns what is wrong in one file. */
export function borderFaults(path, root) {
  const source = sourceOf(path, root);
  const faults = [];
  const packages = [];
  for (const { name } of specifiersOf(source)) {
    const targets = targetsOf(path, name, root);
    if (targets === null) {
      faults.push(`${path}: imports ${name}, which its package.json lacks. Add it to imports or exports there.`);
      continue;
    }
    packages.push(...targets.packages);
    faults.push(...packageFaults(path, name, targets), ...formatFaults(path, name, targets));
  }
  if (path.startsWith(LIBRARY) && !NODE_ONLY.test(path)) faults.push(...nodeFaults(path, source, packages));
  // A name that has a file for each runtime would be reported for each.
  return [...new Set(faults)];
}

function packageFaults(path, name, { files, packages }) {
  const own = packageOf(path);
  if (own === null) return [];
  const isShipped = /^packages\/[^/]+\/src\//.test(path);
  if (isShipped && packages.some((one) => /^@moonpack\//.test(one)))
    return [
      `${path}: imports ${name}, which is not shipped. Move what you need into a package that is shipped, or pass it in.`,
    ];
  const isAllowed = (to) =>
    packageOf(to) === own ||
    to === own ||
    // What proves the library may look into its build.
    (/^packages\/[^/]+\/dist\//.test(to) && !isShipped) ||
    // Data of the repository, which no package owns.
    /\.jsonl?$/.test(to);
  if (files.every(isAllowed)) return [];
  return [`${path}: imports ${name}, outside of its package. Import another package by its name.`];
}

function formatFaults(path, name, { files }) {
  if (!path.startsWith(LIBRARY)) return [];
  const [from] = path.slice(LIBRARY.length).split("/");
  if (!FORMATS.includes(from)) return [];
  const rule = from === "bytes" ? "bytes imports only itself" : `${from} imports only itself and bytes`;
  return files
    .map(sourceFile)
    .filter((to) => to.startsWith(LIBRARY))
    .map((to) => to.slice(LIBRARY.length).split("/")[0])
    .filter((other) => other !== from && other !== "bytes")
    .map((other) => `${path}: imports ${name} from ${other}. ${rule}: move what two formats need into bytes.`);
}

function nodeFaults(path, source, packages) {
  const code = source.text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
  return /(?<!\.)\bBuffer\b(?!\?:)|\bprocess\./.test(code) || packages.some((name) => name.startsWith("node:"))
    ? [
        `${path}: uses Buffer, process or a Node module. Only src/node and the Node variants may; pass in what you need.`,
      ]
    : [];
}
