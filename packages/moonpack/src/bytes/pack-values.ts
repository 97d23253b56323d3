/** What structs, lists and maps are written from: tests of their kind, for closures and for generated code. */
import { compareText, keyStep, notOfType, refuse, within } from "./pack-writer.js";

/** What a struct is written from. Lists and the like have properties, but none that a struct means. */
export function objectOf<T>(value: T): T & object {
  const isObject = typeof value === "object" && value !== null;
  if (isObject && !Array.isArray(value) && !ArrayBuffer.isView(value) && !(value instanceof Map)) return value;
  throw notOfType("an object", value);
}

/** A property of a name that every object has one of: it counts only when it is the object's own. */
export function ownProperty<T extends object, K extends keyof T>(value: T, name: K): T[K] {
  return (Object.hasOwn(value, name) ? value[name] : undefined) as T[K]; // what is missing is refused like what is undefined
}

/** What a list is written from. */
export function listOf<T>(value: readonly T[]): readonly T[] {
  if (Array.isArray(value)) return value;
  throw notOfType("a list", value);
}

/** What a list of numbers is written from: an array, or a typed array. */
export function numbersOf<T>(value: ArrayLike<T>): ArrayLike<T> {
  if (Array.isArray(value) || isTypedArray(value)) return value;
  throw notOfType("a list", value);
}

function isTypedArray(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

/** Is it a list without elements? What is no list is not. */
export function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** The same for lists of numbers. */
export function isEmptyNumbers(value: unknown): boolean {
  return (Array.isArray(value) || isTypedArray(value)) && value.length === 0;
}

/** Are these no bytes? What is no Uint8Array is not. */
export function isEmptyBytes(value: unknown): boolean {
  return value instanceof Uint8Array && value.length === 0;
}

/** Is it a Map without entries? */
export function isEmptyMap(value: unknown): boolean {
  return value instanceof Map && value.size === 0;
}

/** The same where an object will do, too. */
export function isEmptyRecord(value: unknown): boolean {
  if (value instanceof Map) return value.size === 0;
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

/** A key and its value. */
export type Entry<K, V> = readonly [K, V];

/** What a map is written from. */
export function entriesOf<K, V>(value: ReadonlyMap<K, V>): Entry<K, V>[] {
  if (value instanceof Map) return [...value];
  throw notOfType("a Map", value);
}

/** The same where an object will do, too. */
export function recordEntriesOf<V>(value: ReadonlyMap<string, V> | { readonly [key: string]: V }): Entry<string, V>[] {
  return value instanceof Map ? [...value] : Object.entries(objectOf(value) as { readonly [key: string]: V });
}

/** Sorts entries by their keys, of which none may be there twice. What is no text is refused. */
export function byText<V>(entries: Entry<string, V>[]): Entry<string, V>[] {
  for (const [key] of entries) if (typeof key !== "string") throw atKey(notOfType("a string", key), key);
  return sorted(entries, (a, b) => compareText(a[0], b[0]));
}

/** The same for keys that are numbers. */
export function byNumber<K extends number | bigint, V>(entries: Entry<K, V>[]): Entry<K, V>[] {
  for (const [key] of entries) {
    const isNumber = typeof key === "bigint" || (typeof key === "number" && !Number.isNaN(key));
    if (!isNumber)
      throw atKey(
        typeof key === "number" ? refuse("ERR_OUT_OF_RANGE", "NaN is no key") : notOfType("a number", key),
        key,
      );
  }
  // A safe number may be the same key as a bigint.
  return sorted(entries, (a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
}

/** The same for names in a list, in whose order they go. */
export function byPlace<K extends string, V>(
  entries: Entry<K, V>[],
  places: ReadonlyMap<string, number>,
): Entry<K, V>[] {
  for (const [key] of entries) {
    if (places.has(key)) continue;
    throw atKey(typeof key === "string" ? refuse("ERR_OUT_OF_RANGE", "unknown name") : notOfType("a name", key), key);
  }
  return sorted(entries, (a, b) => places.get(a[0])! - places.get(b[0])!);
}

function sorted<E extends Entry<unknown, unknown>>(entries: E[], compare: (a: E, b: E) => number): E[] {
  entries.sort(compare);
  for (let i = 1; i < entries.length; i++) {
    const entry = entries[i]!;
    // An object that poses as a Map may have a key twice.
    if (compare(entries[i - 1]!, entry) === 0)
      throw atKey(refuse("ERR_DUPLICATE_KEY", "a key is there twice"), entry[0]);
  }
  return entries;
}

function atKey(error: unknown, key: unknown): unknown {
  return within(error, keyStep(key));
}
