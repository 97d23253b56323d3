// The globals and imports that a bundle uses, found by its syntax: strings and comments do not count.
import { parse } from "acorn";
import { analyze } from "eslint-scope";

const NODE_ONLY = new Set(["Buffer", "process", "global", "require", "module", "exports", "__dirname", "__filename"]);
const GLOBAL_OBJECTS = new Set(["globalThis", "self", "window"]);

/** Node's globals and the imports that a bundle of ES modules refers to. A bundle for browsers has none. */
export function nodeNames(code) {
  const { tree, free } = parsed(code);
  const found = new Set();
  for (const { name } of free) if (NODE_ONLY.has(name)) found.add(name);
  visit(tree, (node) => {
    // Chunks of a bundle import each other. A page cannot resolve any other import.
    if (/^(Import|Export)/.test(node.type) && node.source != null && !/^\.\.?\//.test(node.source.value))
      found.add(`import ${node.source.value ?? "(..)"}`);
    if (node.type !== "MemberExpression" || !free.has(node.object) || !GLOBAL_OBJECTS.has(node.object.name)) return;
    const name = node.computed ? node.property.value : node.property.name;
    if (NODE_ONLY.has(name)) found.add(`${node.object.name}.${name}`);
  });
  return [...found];
}

/** True if the code makes code of strings: calls the global `Function` or `eval`. */
export function generatesCode(code) {
  const { tree, free } = parsed(code);
  let found = false;
  visit(tree, ({ type, callee }) => {
    if (type === "NewExpression" || type === "CallExpression")
      found ||= free.has(callee) && (callee.name === "Function" || callee.name === "eval");
  });
  return found;
}

/** The syntax, and the identifiers that no scope declares. */
function parsed(code) {
  const tree = parse(code, { ecmaVersion: "latest", sourceType: "module", ranges: true, allowHashBang: true });
  const { globalScope } = analyze(tree, { ecmaVersion: 2022, sourceType: "module" });
  return { tree, free: new Set(globalScope.through.map(({ identifier }) => identifier)) };
}

function visit(node, use) {
  use(node);
  for (const child of Object.values(node))
    for (const each of Array.isArray(child) ? child : [child]) if (typeof each?.type === "string") visit(each, use);
}
