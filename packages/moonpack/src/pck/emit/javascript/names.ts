/** The names that structs have in emitted JavaScript and TypeScript. */

import { capitalized, isGlobal, type Names } from "../../generate/names.js";
import { schemaError } from "../../model/errors.js";
import type { Model, Node, Struct } from "../../model/model.js";
import { emitted } from "./runtime-names.js";

/**
 * A name for each struct: the one that it was given, as a type has it; without one, that of the field that it is met in first.
 * `ERR_SCHEMA` where that is no name, or another struct's.
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
  // Those that are referred to come behind one that refers to them, or have been named.
  for (const struct of structs) {
    for (const member of struct.members) {
      for (const [target, suffix] of targetsOf(member.type)) {
        if (result.has(target)) continue;
        const name = pascal(`${result.get(struct) ?? "Struct"} ${member.name} ${suffix}`);
        result.set(target, names.of(name === "" ? "Struct" : name));
      }
    }
  }
  return result;
}

/** What to do about a name that is there twice. */
const MEND = "name a struct otherwise; of two structs of one name, toDocument(schema) renames the second by itself";

/** Takes names for what belongs to a struct: `ERR_SCHEMA` where another thing has one of them. */
export function takeNames(names: Names, struct: string, belonging: readonly string[]): void {
  for (const name of belonging) {
    if (isGlobal(name)) throw schemaError(struct, `JavaScript has a ${name} of its own: name the struct otherwise`);
    if (emitted().includes(name)) throw schemaError(struct, `emitted code imports ${name}: name the struct otherwise`);
    if (names.has(name)) throw schemaError(struct, `emitted code has two things named ${name}: ${MEND}`);
    names.take(name);
  }
}

function taken(names: Names, name: string, from: string): string {
  if (!/^[\p{ID_Start}_$]/u.test(name)) {
    throw schemaError(from, `${JSON.stringify(from)} is no name in JavaScript: name the struct otherwise`);
  }
  takeNames(names, from, [name]);
  return name;
}

/** `TopStories` of `topStories`, `top-stories` and `top stories`. */
function pascal(text: string): string {
  return text
    .split(/[^\p{ID_Continue}$]+/u)
    .map(capitalized)
    .join("");
}

/** The structs in a type, and what is added to a field's name for them. */
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
