/** The kinds of values in samples. Values of two kinds have no common type in PCK. */
import type { SampleObject } from "./draft.js";

/** Kinds as bits, so that the kinds at one place are one number. */
export const BOOL = 1;
export const NUMBER = 2;
export const TEXT = 4;
export const BYTES = 8;
export const LIST = 16;
export const OBJECT = 32;
export const MAP = 64;
/** A value that PCK cannot hold: a function, a symbol, an instance of some class. */
export const OTHER = 128;

const NAMES: readonly (readonly [kind: number, name: string])[] = [
  [BOOL, "booleans"],
  [NUMBER, "numbers"],
  [TEXT, "text"],
  [BYTES, "bytes"],
  [LIST, "lists"],
  [OBJECT, "objects"],
  [MAP, "Maps"],
  [OTHER, "other values"],
];

/** Returns the kind of a value; 0 for null and undefined. */
export function kindOf(value: unknown): number {
  switch (typeof value) {
    case "boolean":
      return BOOL;
    case "number":
    case "bigint":
      return NUMBER;
    case "string":
      return TEXT;
    case "undefined":
      return 0;
    case "object":
      return value === null ? 0 : kindOfObject(value);
    default:
      return OTHER;
  }
}

function kindOfObject(value: object): number {
  if (Array.isArray(value)) return LIST;
  if (value instanceof Uint8Array) return BYTES;
  if (value instanceof Map) return MAP;
  if (ArrayBuffer.isView(value)) return value instanceof DataView ? OTHER : LIST;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Object.prototype of another realm has no prototype either.
  return prototype === null || Object.getPrototypeOf(prototype) === null ? OBJECT : OTHER;
}

/** True for null and undefined. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** Returns the kinds of all values. */
export function kindsOf(values: Iterable<unknown>): number {
  let kinds = 0;
  for (const value of values) kinds |= kindOf(value);
  return kinds;
}

/** True if more than one kind is in `kinds`. */
export function isMixed(kinds: number): boolean {
  return (kinds & (kinds - 1)) !== 0;
}

/** Returns the kinds of the values, with the number of each: `text (3), numbers (1)`. */
export function countsByKind(values: readonly unknown[]): string {
  return NAMES.map(([kind, name]) => [name, values.filter((value) => kindOf(value) === kind).length] as const)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name} (${count})`)
    .join(", ");
}

/** Returns the kinds of each property of some objects. */
export function kindsByName(objects: Iterable<SampleObject>): Map<string, number> {
  const kinds = new Map<string, number>();
  for (const object of objects) addKinds(kinds, object);
  return kinds;
}

/** Adds the kinds of an object's properties. */
export function addKinds(kinds: Map<string, number>, object: SampleObject): void {
  for (const name of Object.keys(object)) kinds.set(name, (kinds.get(name) ?? 0) | kindOf(object[name]));
}
