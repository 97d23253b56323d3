/** The names of structs in emitted JavaScript and TypeScript. */

import { capitalized, isGlobal, type Names } from "../../generate/names.js";
import { schemaError } from "../../model/errors.js";
import type { Model, Node, Struct } from "../../model/model.js";
import { runtimeNames } from "./runtime-names.js";

/**
 * Names each struct: with the name that it was given, written as a type, or else after the first field that refers to
 * it. Throws `ERR_SCHEMA` if that is not a valid name, or is the name of another struct.
 */
export function structNames(
  model: Model,
  given: ReadonlyMap<Struct, string>,
  names: Names,
): ReadonlyMap<Struct, string> {
  const result = new Map<Struct, string>();
  for (const struct of model.structs) {
    const name = given.get(struct) ?? struct.name;
    if (name !== "") result.set(struct, taken(names, pascal(name), name));
  }
  const { root, structs } = model;
  if (!result.has(root)) result.set(root, taken(names, "Root", "Root"));
  // A struct that is referred to comes after a struct that refers to it, or has a name already.
  for (const struct of structs) {
    for (const member of struct.members) {
      for (const [target, suffix] of targetsOf(member.type)) {
        if (result.has(target)) continue;
        const name = pascal(`${result.get(struct) ?? "Struct"} ${member.name} ${suffix}`);
        result.set(target, names.unique(name === "" ? "Struct" : name));
      }
    }
  }
  return result;
}

/** How to resolve a duplicate name. */
const HOW_TO_RENAME =
  "rename a struct, or use toDocument(schema), which renames the second of two structs with the same name";

/** Reserves names that belong to a struct. Throws `ERR_SCHEMA` if one of them is in use. */
export function reserveNames(names: Names, struct: string, belonging: readonly string[]): void {
  for (const name of belonging) {
    if (isGlobal(name)) throw schemaError(struct, `${name} is a global name in JavaScript: rename the struct`);
    if (runtimeNames().includes(name)) throw schemaError(struct, `emitted code imports ${name}: rename the struct`);
    if (names.has(name)) throw schemaError(struct, `emitted code would declare ${name} twice: ${HOW_TO_RENAME}`);
    names.reserve(name);
  }
}

function taken(names: Names, name: string, from: string): string {
  if (!/^[\p{ID_Start}_$]/u.test(name)) {
    throw schemaError(from, `${JSON.stringify(from)} is not a valid name in JavaScript: rename the struct`);
  }
  reserveNames(names, from, [name]);
  return name;
}

/** `TopStories` for `topStories`, `top-stories` and `top stories`. */
function pascal(text: string): string {
  return text
    .split(/[^\p{ID_Continue}$]+/u)
    .map(capitalized)
    .join("");
}

/** Returns the structs in a type, each with the text that is added to the field's name to name it. */
export function targetsOf(node: Node): (readonly [Struct, string])[] {
  switch (node.kind) {
    case "ref":
      return [[node.struct, ""]];
    case "union":
      return node.arms.map((arm) => [arm.struct, arm.name] as const);
    case "array":
      return targetsOf(node.element);
    case "map":
    case "nullable":
      return targetsOf(node.value);
    default:
      return [];
  }
}
