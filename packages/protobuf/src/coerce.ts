/**
 * Conversions of values as protobuf.js does them. It accepts every value with a `length` as a list, and a value without one as
 * an empty list. Code may rely on that, so our Writer accepts it too, unless it is `strict`.
 */
import { allocate, describe, EncodeError } from "moonpack/bytes";

/** Returns `value[name]`, but ignores properties of Object.prototype, which other code may have added. */
export function lookup(value: unknown, name: string): unknown {
  for (let holder = Object(value) as object; holder !== Object.prototype; ) {
    if (Object.hasOwn(holder, name)) return (value as Readonly<Record<string, unknown>>)[name];
    const next = Object.getPrototypeOf(holder) as object | null;
    if (next === null) break;
    holder = next;
  }
  return undefined;
}

/** True for null and undefined. */
export function isNullish(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** Returns the value as JavaScript converts it to a number. Throws `ERR_UNSUPPORTED_TYPE` for bigints and symbols. */
export function numberOf(value: unknown): number {
  if (typeof value === "bigint" || typeof value === "symbol") throw unsupported("a number", value);
  return Number(value);
}

/** Returns the number of values in a list. Throws `ERR_UNSUPPORTED_TYPE` for null and undefined. */
export function countOf(values: ArrayLike<unknown>): number {
  return Array.isArray(values) ? values.length : arrayLikeCount(values);
}

function arrayLikeCount(values: ArrayLike<unknown>): number {
  if (isNullish(values)) throw unsupported("a list", values);
  return Math.max(0, Math.ceil(Number(lookup(values, "length")))) || 0;
}

/** Copies a list, or the elements of another view, to bytes. The copy comes first, since an element may run code. */
export function listedBytes(value: ArrayLike<number>, strict: boolean): Uint8Array {
  const isList = Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
  const length = isNullish(value) ? Number.NaN : isList ? value.length : Number(lookup(value, "length") || 0);
  const isArrayLike = !strict && length >= 0 && length < 2 ** 31;
  if (isBigInts(value) || !(isList || isArrayLike)) throw unsupported("bytes", value);
  const bytes = allocate(Math.floor(length));
  try {
    if (bytes.length > 0) bytes.set(value);
  } catch (cause) {
    // Bigints, symbols, or a view with more elements than its length. Other errors come from the code of an element.
    throw cause instanceof TypeError || cause instanceof RangeError ? unsupported("bytes", value, cause) : cause;
  }
  if (strict) checkBytes(bytes, value);
  return bytes;
}

function isBigInts(value: unknown): boolean {
  return (value instanceof BigInt64Array || value instanceof BigUint64Array) && value.length > 0;
}

function checkBytes(bytes: Uint8Array, list: ArrayLike<number>): void {
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] !== list[i])
      throw new EncodeError("ERR_OUT_OF_RANGE", `${describe(list[i])} is not a valid byte (0 to 255)`, "$");
  }
}

/** Returns the error for a value of the wrong type. */
export function unsupported(expected: string, value: unknown, cause?: unknown): EncodeError {
  return new EncodeError("ERR_UNSUPPORTED_TYPE", `expected ${expected}, not ${describe(value)}`, "$", cause);
}
