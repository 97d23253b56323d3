// The imports of a file: each name that it writes, when the import is evaluated, and the files that the name stands for.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { sourceOfEntry } from "@moonpack/tools/entries";
import ts from "typescript";

/** The parsed text of a file. */
export function sourceOf(path, root) {
  const text = readFileSync(join(root, path), "utf8");
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

/**
 * Every name that a file imports or exports from, with when it is evaluated: at "load", "later" (`import()` or `require()`
 * in a function) or "never" (types, which TypeScript erases). `name` is null where `import()` is given no literal.
 */
export function specifiersOf(source) {
  const found = [
    // `/// <reference path="..">`: always relative to the file.
    ...source.referencedFiles.map(({ fileName }) => ({ name: fileName.replace(/^(?!\.)/, "./"), when: "never" })),
    ...source.typeReferenceDirectives.map(({ fileName }) => ({ name: fileName, when: "never" })),
  ];
  const add = (node, when) => {
    if (node !== undefined && ts.isStringLiteralLike(node)) found.push({ name: node.text, when });
  };
  const visit = (node, when) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node))
      add(node.moduleSpecifier, isErased(node) ? "never" : "load");
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, "never");
    else if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference))
      add(node.moduleReference.expression, node.isTypeOnly ? "never" : "load");
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      if (ts.isStringLiteralLike(node.arguments[0])) add(node.arguments[0], when);
      else found.push({ name: null, when });
    } else if (ts.isCallExpression(node) && isRequire(node.expression)) add(node.arguments[0], when);
    // The values of instance fields are evaluated with the constructor.
    const isLater = ts.isFunctionLike(node) || (ts.isPropertyDeclaration(node) && !isStatic(node));
    ts.forEachChild(node, (child) => visit(child, isLater ? "later" : when));
  };
  visit(source, "load");
  return found;
}

/** True for a static member of a class. */
export function isStatic(node) {
  return (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Static) !== 0;
}

/** `require`, or what `createRequire(..)` returns. */
function isRequire(callee) {
  if (ts.isIdentifier(callee)) return callee.text === "require";
  return ts.isCallExpression(callee) && /\bcreateRequire$/.test(callee.expression.getText());
}

/**
 * Is nothing of this import, or export, left at run time? `import { type A } from` is left, as an import of nothing:
 * TypeScript removes only what is wholly marked as types (verbatimModuleSyntax).
 */
function isErased(node) {
  return (ts.isImportDeclaration(node) ? node.importClause?.isTypeOnly : node.isTypeOnly) === true;
}

/** The folder of the package that a path is in, such as `packages/moonpack`; null for the root's own folders. */
export function packageOf(path) {
  return /^(?:(?:packages|testing|rivals)\/[^/]+|tools)(?=\/)/.exec(path)?.[0] ?? null;
}

/**
 * Resolves a name to `files`, from the repository's root, and to names of other `packages`. A `#name`, and the package's own name,
 * have several files where package.json chooses by runtime. Null: package.json lacks the name.
 */
export function targetsOf(path, name, root) {
  if (name.startsWith(".")) return { files: [join(dirname(path), name)], packages: [] };
  const folder = packageOf(path);
  const manifest = folder === null ? null : manifestOf(folder, root);
  const isOwn = manifest !== null && (name === manifest.name || name.startsWith(`${manifest.name}/`));
  if (manifest === null || (!isOwn && !name.startsWith("#"))) return { files: [], packages: [name] };
  const leaves = isOwn
    ? leavesOf(manifest.exports ?? {}, `.${name.slice(manifest.name.length)}`)
    : leavesOf(manifest.imports ?? {}, name);
  if (leaves === null) return null;
  const files = leaves.filter((leaf) => leaf.startsWith("./"));
  return {
    files: [...new Set(files.map((leaf) => join(folder, sourceOfEntry(join(root, folder), leaf) ?? leaf)))],
    packages: leaves.filter((leaf) => !files.includes(leaf)),
  };
}

/** True if the name, with or without a subpath, belongs to a published package in packages/. */
export function isShippedPackage(name, root) {
  const [scope, folder] = name.split("/");
  const manifest = manifestOf(`packages/${folder}`, root);
  return manifest !== null && manifest.name === `${scope}/${folder}` && manifest.private !== true;
}

/** The package.json of a folder of a package; null if it has none. */
export function manifestOf(folder, root) {
  const file = join(root, folder, "package.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
}

/** All that a table of package.json may choose for a name, whatever the runtime; null where it lacks the name. */
function leavesOf(table, name) {
  if (Object.hasOwn(table, name)) return stringsOf(table[name]);
  for (const [key, entry] of Object.entries(table)) {
    const [before, after] = key.split("*");
    if (after === undefined || !name.startsWith(before) || !name.slice(before.length).endsWith(after)) continue;
    const part = name.slice(before.length, name.length - after.length);
    return stringsOf(entry).map((leaf) => leaf.replaceAll("*", part));
  }
  return null;
}

function stringsOf(entry) {
  if (typeof entry === "string") return [entry];
  return entry === null ? [] : Object.values(entry).flatMap(stringsOf);
}

/** The source that a built file of a package is made from; any other path as it is. */
export function sourceFile(path) {
  return path.replace(
    /^((?:packages|testing)\/[^/]+)\/(?:dist|build)\/(.*?)\.(?:d\.(m?)ts|(m?)js)$/,
    "$1/src/$2.$3$4ts",
  );
}
