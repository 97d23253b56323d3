// The modules of the API reference: all that the packages export, by the names that users import. A plugin of TypeDoc.
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { Converter, ReflectionKind } from "typedoc";
import { sourceOfEntry } from "./entries.mjs";
import { root } from "./setup.mjs";

/**
 * The source files and the names of all entries of packages that the root's tsconfig.json builds. Of two names for one
 * source, as `moonpack` and `moonpack/msgpack`, only the first: TypeDoc would show the module twice.
 */
export function publicEntries() {
  const { references } = readJson("tsconfig.json");
  const entries = references.map(({ path }) => path).flatMap(entriesOf);
  return entries.filter(({ source }, index) => entries.findIndex((each) => each.source === source) === index);
}

function entriesOf(folder) {
  const path = join(folder, "package.json");
  const { name, exports = {}, private: isPrivate } = existsSync(join(root, path)) ? readJson(path) : { private: true };
  if (isPrivate) return [];
  return Object.entries(exports).flatMap(([subpath, target]) => {
    const types = typesOf(target);
    return types === undefined ? [] : [{ name: posix.join(name, subpath), source: sourceOf(folder, types) }];
  });
}

/** The first file of types: a subpath may have one for each runtime. */
function typesOf(target) {
  if (typeof target === "string") return /\.d\.c?ts$/.test(target) ? target : undefined;
  for (const [condition, inner] of Object.entries(target)) {
    const found = condition === "types" || typeof inner === "object" ? typesOf(inner) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

const sourceOf = (folder, types) => join(folder, sourceOfEntry(join(root, folder), types));
const readJson = (path) => JSON.parse(readFileSync(join(root, path), "utf8"));

/** Called by TypeDoc: names the modules, which it names by their folders. */
export function load(app) {
  const names = new Map(publicEntries().map(({ name, source }) => [join(root, source), name]));
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
    if (!reflection.kindOf(ReflectionKind.Module)) return;
    const file = context.getSymbolFromReflection(reflection)?.declarations?.[0]?.getSourceFile().fileName;
    reflection.name = names.get(file) ?? reflection.name;
  });
}
