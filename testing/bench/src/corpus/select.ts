/** A value of a parsed JSON file. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * The values at `path`. Its steps are separated by slashes: a key or an index, `*` for all children, `key=text` for the
 * elements of a list that have this text there. An element without the key of a later step is left out, since documents
 * of one list differ in what they have. The first step must exist.
 */
export function select(document: Json, path: string): Json[] {
  let found: Json[] = [document];
  for (const step of path.split("/")) found = found.flatMap((value) => children(value, step));
  if (found.length === 0) throw new RangeError(`nothing at ${path}`);
  return found;
}

function children(value: Json, step: string): Json[] {
  if (typeof value !== "object" || value === null) return [];
  if (step === "*") return Object.values(value);
  const equals = step.indexOf("=");
  if (equals > 0 && Array.isArray(value)) {
    const key = step.slice(0, equals);
    return value.filter((element) => children(element, key)[0] === step.slice(equals + 1));
  }
  if (!Object.hasOwn(value, step)) return [];
  const child = Array.isArray(value) ? value[Number(step)] : value[step];
  return child === undefined ? [] : [child];
}

/** Parts of `value` of `size` elements or entries each. A rest that is shorter than half of this is left out. */
export function slices(value: Json, size: number): Json[] {
  if (Array.isArray(value)) return parts(value, size);
  if (typeof value !== "object" || value === null) throw new TypeError("only arrays and objects can be divided");
  return parts(Object.entries(value), size).map((entries) => Object.fromEntries(entries));
}

function parts<Item>(items: readonly Item[], size: number): Item[][] {
  const all: Item[][] = [];
  for (let start = 0; start < items.length; start += size) all.push(items.slice(start, start + size));
  return all.length > 1 && all.at(-1)!.length < size / 2 ? all.slice(0, -1) : all;
}

/** Lists of `size` of these values. A shorter rest is left out, unless it is all there is. */
export function lists(values: readonly Json[], size: number): Json[][] {
  const all = parts(values, size);
  return all.length > 1 ? all.filter((list) => list.length === size) : all;
}

/** At most `count` of `items`, at equal distances. */
export function spread<Item>(items: readonly Item[], count: number): Item[] {
  if (items.length <= count) return [...items];
  return Array.from({ length: count }, (_, index) => items[Math.floor((index * items.length) / count)]!);
}
