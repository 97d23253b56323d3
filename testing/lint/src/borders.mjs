// Which room may import from which.
import { existsSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import ts from "typescript";
import {
  isShippedPackage,
  manifestOf,
  packageOf,
  sourceFile,
  sourceOf,
  specifiersOf,
  targetsOf,
} from "./specifiers.mjs";

const LIBRARY = "packages/moonpack/src/";

/** The packages that run everywhere. */
const EVERYWHERE = /^packages\/(?:moonpack|compat|protobuf|pck)\/src\//;

/** The folders of the library that stand on formats. Each other folder stands alone: it imports itself and `bytes`. */
const ABOVE = ["stream", "pick", "node"];

/** Only these may use what Node has, and Deno and Bun have of it. Everything else also runs in browsers. */
const NODE_ONLY =
  /^packages\/(?:moonpack|protobuf|compat)\/src\/(node\/|bytes\/platform\/(node|deno|bun)\.ts|msgpack-nodejs)/;

/** Tests that any runtime can run. */
const TESTS_OF_ALL_RUNTIMES = /^packages\/[^/]+\/test\/.*(?<!\.node)\.test\.ts$/;

/** Returns what is wrong in one file. */
export function borderFaults(path, root) {
  const source = sourceOf(path, root);
  const faults = [];
  const packages = [];
  for (const { name } of specifiersOf(source)) {
    if (name === null) {
      if (EVERYWHERE.test(path))
        faults.push(`${path}: imports a name that is not a literal, so it cannot be checked. Write the name itself.`);
      continue;
    }
    const targets = targetsOf(path, name, root);
    if (targets === null) {
      faults.push(`${path}: imports ${name}, which its package.json lacks. Add it to imports or exports there.`);
      continue;
    }
    packages.push(...targets.packages);
    faults.push(...packageFaults(path, name, targets, root), ...formatFaults(path, name, targets));
  }
  if (EVERYWHERE.test(path) && !NODE_ONLY.test(path)) faults.push(...nodeFaults(path, source, packages));
  if (TESTS_OF_ALL_RUNTIMES.test(path) && packages.some((name) => isBuiltin(name)))
    faults.push(`${path}: imports a Node module. Name it *.node.test.ts, as every test that needs Node.`);
  // A name that has a file for each runtime would be reported for each.
  return [...new Set(faults)];
}

function packageFaults(path, name, { files, packages }, root) {
  const own = packageOf(path);
  if (own === null) return [];
  // A private package, as the site, is deployed and not published: its tools are not its users'.
  const isShipped = /^packages\/[^/]+\/(?:src|bin)\//.test(path) && manifestOf(own, root)?.private !== true;
  if (isShipped) {
    const stranger = packages.find((one) => !isOfUsers(one, own, root));
    if (stranger !== undefined)
      return [
        `${path}: imports ${name}, which is not shipped with it: users do not have it. ` +
          "Add it to dependencies if it is published. Otherwise move what you need into a shipped package, or pass it in.",
      ];
  }
  const isAllowed = (to) =>
    packageOf(to) === own ||
    to === own ||
    // Tests of the library may import its build.
    (/^packages\/[^/]+\/(?:dist|build)\//.test(to) && !isShipped) ||
    // Data of the repository, which no package owns.
    /\.jsonl?$/.test(to);
  if (files.every(isAllowed)) return [];
  return [`${path}: imports ${name}, outside of its package. Import another package by its name.`];
}

/** Do the users of the package `own` have the package that this name, with or without a subpath, begins with? */
function isOfUsers(name, own, root) {
  if (isBuiltin(name)) return true;
  const [, packageName] = /^((?:@[^/]+\/)?[^/]+)/.exec(name);
  const { dependencies, optionalDependencies, peerDependencies, devDependencies } = manifestOf(own, root) ?? {};
  const bundled = bundles(own, root) ? devDependencies : {};
  const declared = { ...dependencies, ...optionalDependencies, ...peerDependencies, ...bundled };
  if (!Object.hasOwn(declared, packageName)) return false;
  return !packageName.startsWith("@moonpack/") || isShippedPackage(packageName, root);
}

/** Does the package contain what it imports and does not depend on (tsdown.config.mjs)? */
function bundles(own, root) {
  const file = join(root, own, "bundle.json");
  return existsSync(file) && JSON.parse(readFileSync(file, "utf8")).bundles === true;
}

function formatFaults(path, name, { files }) {
  if (!path.startsWith(LIBRARY)) return [];
  const [from] = path.slice(LIBRARY.length).split("/");
  if (from.endsWith(".ts") || ABOVE.includes(from)) return [];
  const rule = from === "bytes" ? "bytes imports only itself" : `${from} imports only itself and bytes`;
  return files
    .map(sourceFile)
    .filter((to) => to.startsWith(LIBRARY))
    .map((to) => to.slice(LIBRARY.length).split("/")[0])
    .filter((other) => other !== from && other !== "bytes")
    .map((other) => `${path}: imports ${name} from ${other}. ${rule}: move what two formats need into bytes.`);
}

function nodeFaults(path, source, packages) {
  return namesNode(source) || packages.some((name) => isBuiltin(name))
    ? [
        `${path}: uses Buffer, process or a Node module. Only src/node and the Node variants may; pass in what you need.`,
      ]
    : [];
}

/** Globals of Node that browsers lack. */
const NODE_GLOBALS = new Set(["Buffer", "process"]);

/** Objects that have every global as a property. */
const GLOBAL_OBJECTS = new Set(["globalThis", "global", "self", "window"]);

/** Does a file name a global of Node, in values or types, alone or as a property of the global object? */
function namesNode(source) {
  const isGlobalObject = (node) => ts.isIdentifier(node) && GLOBAL_OBJECTS.has(node.text);
  const visit = (node) => {
    if (ts.isIdentifier(node)) return NODE_GLOBALS.has(node.text) && !isNameOfMember(node);
    if (ts.isPropertyAccessExpression(node) && isGlobalObject(node.expression) && NODE_GLOBALS.has(node.name.text))
      return true;
    if (ts.isElementAccessExpression(node) && isGlobalObject(node.expression)) {
      const key = node.argumentExpression;
      if (ts.isStringLiteralLike(key) && NODE_GLOBALS.has(key.text)) return true;
    }
    return ts.forEachChild(node, (child) => visit(child) || undefined) ?? false;
  };
  return visit(source);
}

/** Is it the name of a property of some object or type, such as `util.Buffer`? */
function isNameOfMember(node) {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  const isMember =
    ts.isPropertySignature(parent) || ts.isPropertyDeclaration(parent) || ts.isPropertyAssignment(parent);
  return isMember && parent.name === node;
}
