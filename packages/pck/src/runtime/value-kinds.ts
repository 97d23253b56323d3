/** Checks which values structs, lists and maps are written from, for closures, generated and emitted code. */
import { unknownName } from "./write-numbers.js";
import { compareText, duplicateKey, keyStep, notIn, notOfType, within } from "./writer.js";

/**
 * Returns the value that a struct is written from. Throws `ERR_UNSUPPORTED_TYPE` unless it is an object; lists, Maps and views
 * are not.
 */
export function objectOf<T>(value: T): T & object {
  const isObject = typeof value === "object" && value !== null;
  if (isObject && !Array.isArray(value) && !ArrayBuffer.isView(value) && !(value instanceof Map)) return value;
  throw notOfType("an object", value);
}

/**
 * Returns an own property. For names that also exist on Object.prototype; a missing property is checked like undefined.
 */
export function ownProperty<T extends object, K extends keyof T>(value: T, name: K): T[K] {
  return (Object.hasOwn(value, name) ? value[name] : undefined) as T[K];
}

/** Returns the array that a list is written from. Throws `ERR_UNSUPPORTED_TYPE` for any other value. */
export function listOf<T>(value: readonly T[]): readonly T[] {
  if (Array.isArray(value)) return value;
  throw notOfType("a list", value);
}

/**
 * Returns the array or typed array that a list of numbers is written from. Throws `ERR_UNSUPPORTED_TYPE` for any other value.
 */
export function numbersOf<T>(value: ArrayLike<T>): ArrayLike<T> {
  if (Array.isArray(value) || isTypedArray(value)) return value;
  throw notOfType("a list", value);
}

function isTypedArray(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

/** Returns true for an empty array, false for anything else. */
export function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Returns true for an empty array or typed array, false for anything else. */
export function isEmptyNumbers(value: unknown): boolean {
  return (Array.isArray(value) || isTypedArray(value)) && value.length === 0;
}

/** Returns true for an empty Uint8Array, false for anything else. */
export function isEmptyBytes(value: unknown): boolean {
  return value instanceof Uint8Array && value.length === 0;
}

/** Returns true for an empty Map, false for anything else. */
export function isEmptyMap(value: unknown): boolean {
  return value instanceof Map && value.size === 0;
}

/** Returns true for an empty Map and for an object without own properties, false for anything else. */
export function isEmptyRecord(value: unknown): boolean {
  if (value instanceof Map) return value.size === 0;
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

/** A key of a map and its value. */
export type Entry<K, V> = readonly [K, V];

/** Returns the entries of a Map. Throws `ERR_UNSUPPORTED_TYPE` for any other value. */
export function mapEntries<K, V>(value: ReadonlyMap<K, V>): Entry<K, V>[] {
  if (value instanceof Map) return [...value];
  throw notOfType("a Map", value);
}

/** Returns the entries of a Map or object. Throws `ERR_UNSUPPORTED_TYPE` for any other value. */
export function recordEntries<V>(value: ReadonlyMap<string, V> | { readonly [key: string]: V }): Entry<string, V>[] {
  return value instanceof Map ? [...value] : Object.entries(objectOf(value) as { readonly [key: string]: V });
}

/**
 * Sorts entries by their keys, in the order of their UTF-8 bytes. Throws `ERR_UNSUPPORTED_TYPE` for a key that is not a
 * string, `ERR_DUPLICATE_KEY` for equal keys.
 */
export function byText<V>(entries: Entry<string, V>[]): Entry<string, V>[] {
  for (const [key] of entries) if (typeof key !== "string") throw atKey(notOfType("a string", key), key);
  return sorted(entries, (a, b) => compareText(a[0], b[0]));
}

/**
 * Sorts entries by their keys, which are numbers. Throws `ERR_UNSUPPORTED_TYPE` for a key that is not a number,
 * `ERR_OUT_OF_RANGE` for NaN, `ERR_DUPLICATE_KEY` for equal keys.
 */
export function byNumber<K extends number | bigint, V>(entries: Entry<K, V>[]): Entry<K, V>[] {
  for (const [key] of entries) {
    const isNumber = typeof key === "bigint" || (typeof key === "number" && !Number.isNaN(key));
    if (isNumber) continue;
    throw atKey(notIn("key", key), key);
  }
  // A number and a bigint may be the same key.
  return sorted(entries, (a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
}

/**
 * Sorts entries by their keys, which are names; `places` has the index of each name. Throws `ERR_OUT_OF_RANGE` for a name that
 * is missing there, `ERR_UNSUPPORTED_TYPE` for a key that is not a string, `ERR_DUPLICATE_KEY` for equal keys.
 */
export function byPlace<K extends string, V>(
  entries: Entry<K, V>[],
  places: ReadonlyMap<string, number>,
): Entry<K, V>[] {
  for (const [key] of entries) {
    if (places.has(key)) continue;
    throw atKey(unknownName(key), key);
  }
  return sorted(entries, (a, b) => places.get(a[0])! - places.get(b[0])!);
}

function sorted<E extends Entry<unknown, unknown>>(entries: E[], compare: (a: E, b: E) => number): E[] {
  entries.sort(compare);
  for (let i = 1; i < entries.length; i++) {
    const entry = entries[i]!;
    // A subclass of Map may yield a key twice.
    if (compare(entries[i - 1]!, entry) === 0) throw atKey(duplicateKey(), entry[0]);
  }
  return entries;
}

function atKey(error: unknown, key: unknown): unknown {
  return within(error, keyStep(key));
}
