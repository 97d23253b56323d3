/** Names of inferred structs. */
import { capitalized, isGlobal } from "../generate/names.js";

/** Returns the singular of an English plural, or the text itself: `item` for `items`. */
export function singular(text: string): string {
  if (/[^aeiou]ies$/i.test(text)) return `${text.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh)es$/i.test(text)) return text.slice(0, -2);
  return /[^su]s$/i.test(text) && !/is$/i.test(text) ? text.slice(0, -1) : text;
}

/** Returns a name for a type: `OrderLine` for `order-line`. */
export function typeName(stem: string): string {
  const name = stem
    .split(/[^\p{L}\p{N}]+/u)
    .map(capitalized)
    .join("");
  if (!/^\p{L}/u.test(name)) return `Struct${name}`;
  return isGlobal(name) ? `${name}Struct` : name;
}

/** Names that are given out once each. */
export class UniqueNames {
  readonly #given = new Set<string>();

  /** Returns `name`, or the first of `name2`, `name3`, .. that is free. */
  unique(name: string): string {
    let free = name;
    for (let n = 2; this.#given.has(free); n++) free = `${name}${n}`;
    this.#given.add(free);
    return free;
  }
}
