/** Reading options: own properties only, unknown names refused, each value checked. */
import { describe, invalidArgument } from "./errors.js";

/** Checks that options are an object; undefined becomes an empty one. Throws `ERR_INVALID_ARGUMENT`. */
export function optionsObject(options: unknown, name = "options"): object {
  if (options === undefined) return {};
  if (typeof options === "object" && options !== null && !Array.isArray(options)) return options;
  throw invalidArgument(`${name} must be an object, not ${describe(options)}`);
}

/** Reads one option; undefined if it is absent. */
export function ownOption(options: object, name: string): unknown {
  return Object.hasOwn(options, name) ? (options as Record<string, unknown>)[name] : undefined;
}

/** Throws `ERR_INVALID_ARGUMENT` for the first own property that is not one of `known`, and suggests the most similar one. */
export function refuseUnknown(options: object, known: readonly string[], what = "option"): void {
  for (const name of Object.getOwnPropertyNames(options)) {
    if (known.includes(name)) continue;
    throw invalidArgument(`${describe(name)} is not a known ${what}${suggestion(name, known)}`);
  }
}

function suggestion(wrong: string, known: readonly string[]): string {
  if (wrong.length > 64) return "";
  const [best] = known
    .map((name) => ({ name, distance: editDistance(wrong.toLowerCase(), name.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.max(1, Math.floor(wrong.length / 3)))
    .sort((a, b) => a.distance - b.distance);
  return best === undefined ? "" : `: did you mean ${best.name}?`;
}

/** Returns how many characters must be inserted, deleted or replaced to make `a` of `b`. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1), row[j]! + 1, next[j - 1]! + 1));
    row = next;
  }
  return row[b.length]!;
}
