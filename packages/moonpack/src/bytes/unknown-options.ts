/** Refuses unknown names, and suggests the name that was probably meant. */
import { invalidArgument } from "./errors.js";

/**
 * Throws `ERR_INVALID_ARGUMENT` for the first own property that is not one of `known`, and suggests the most similar one.
 *
 * @example
 * refuseUnknown({ prot: 1 }, ["host", "port"]); // throws: "prot" is not a known option: did you mean port?
 */
export function refuseUnknown(options: object, known: readonly string[], what = "option"): void {
  for (const name of Object.getOwnPropertyNames(options)) {
    if (known.includes(name)) continue;
    throw invalidArgument(`${JSON.stringify(name)} is not a known ${what}${suggestion(name, known)}`);
  }
}

/**
 * Throws `ERR_INVALID_ARGUMENT` for the first own property that is not one of `known`, but similar to one. For an options object whose
 * other properties are passed on to another library.
 *
 * @example
 * refuseSimilar({ keepalive: true, maxByte: 9 }, ["maxBytes"]); // throws: "maxByte" is not a known option: did you mean maxBytes?
 */
export function refuseSimilar(options: object, known: readonly string[], what = "option"): void {
  const others = Object.getOwnPropertyNames(options).filter(
    (name) => !known.includes(name) && suggestion(name, known) === "",
  );
  refuseUnknown(options, [...known, ...others], what);
}

/**
 * Returns the end of an error text: suggests the known name most similar to an unknown one; an empty text if none is similar.
 *
 * @example
 * suggestion("maxx", ["min", "max"]); // ": did you mean max?"
 */
export function suggestion(wrong: string, known: readonly string[]): string {
  let best: string | undefined;
  let least = Math.floor(Math.max(wrong.length, 3) / 3) + 1;
  for (const name of known) {
    const distance = wrong.length > 64 ? Infinity : editDistance(wrong.toLowerCase(), name.toLowerCase());
    if (distance >= least) continue;
    least = distance;
    best = name;
  }
  return best === undefined ? "" : `: did you mean ${best}?`;
}

/** The number of insertions, deletions, replacements and swaps of neighbours that turn `b` into `a`. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1, isSwapped ? before[j - 2]! + 1 : Infinity));
    }
    before = row;
    row = next;
  }
  return row[b.length]!;
}
