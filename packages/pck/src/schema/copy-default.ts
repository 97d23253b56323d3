/** Copies of defaults: changes to the original value have no effect on the schema. */
import { MoonpackError } from "moonpack/bytes";

/** An object whose items are still to be copied, and its copy. */
type Unfinished = readonly [source: object, copy: object];

/**
 * Returns a deep copy of a default. Throws `ERR_SCHEMA` for a value that cannot be a default, such as a function.
 * structuredClone is not used: in Chromium it returns null for values nested 3,000 deep. An explicit stack instead of
 * recursion: the depth of the value has not been checked yet.
 */
export function copyOfDefault(value: unknown, where: string): unknown {
  const open: Unfinished[] = [];
  const copies = new Map<object, object>();
  const copyOf = (item: unknown): unknown => {
    if (typeof item === "function" || typeof item === "symbol") {
      throw new MoonpackError("ERR_SCHEMA", `${where}: a default cannot be a ${typeof item}`);
    }
    if (typeof item !== "object" || item === null) return item;
    const known = copies.get(item);
    if (known !== undefined) return known;
    const copy = emptyCopy(item);
    copies.set(item, copy);
    if (!ArrayBuffer.isView(item)) open.push([item, copy]);
    return copy;
  };
  try {
    const copy = copyOf(value);
    for (let next = open.pop(); next !== undefined; next = open.pop()) fill(next, copyOf);
    return copy;
  } catch (cause) {
    if (cause instanceof MoonpackError) throw cause;
    throw new MoonpackError("ERR_SCHEMA", `${where}: the default cannot be copied; see cause`, cause);
  }
}

/** Returns an object of the same kind without items. A typed array is copied whole. */
function emptyCopy(source: object): object {
  if (Array.isArray(source)) return [];
  if (source instanceof Map) return new Map();
  if (ArrayBuffer.isView(source) && !(source instanceof DataView)) return (source as Uint8Array).slice();
  return Object.create(Object.getPrototypeOf(source));
}

function fill([source, copy]: Unfinished, copyOf: (item: unknown) => unknown): void {
  if (Array.isArray(source)) for (const item of source) (copy as unknown[]).push(copyOf(item));
  else if (source instanceof Map) {
    for (const [key, item] of source) (copy as Map<unknown, unknown>).set(copyOf(key), copyOf(item));
  } else {
    const shape = { enumerable: true, configurable: true, writable: true };
    for (const [name, item] of Object.entries(source))
      Object.defineProperty(copy, name, { value: copyOf(item), ...shape });
  }
}
