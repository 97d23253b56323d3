/**
 * What protobuf.js takes for a list: whatever has a length, in elements from 0 on; and what has none for an empty one. Its
 * users' code may rest on that, so ours takes it as well, unless it is `strict`.
 */
import { allocate } from "../bytes/buffer.js";
import { describe, EncodeError } from "../bytes/errors.js";

/** A property of a value or of its class, as `value[name]`, but nothing that somebody has put on every object. */
export function lookup(value: unknown, name: string): unknown {
  for (let holder = Object(value) as object; holder !== Object.prototype; ) {
    if (Object.hasOwn(holder, name)) return (value as Readonly<Record<string, unknown>>)[name];
    const next = Object.getPrototypeOf(holder) as object | null;
    if (next === null) break;
    holder = next;
  }
  return undefined;
}

/** Is there nothing to be asked? */
export function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** What JavaScript takes for a number. `ERR_UNSUPPORTED_TYPE` for bigints and symbols, which it does not either. */
export function numberOf(value: unknown): number {
  if (typeof value === "bigint" || typeof value === "symbol") throw unsupported("a number", value);
  return Number(value);
}

/** How many values a list has. `ERR_UNSUPPORTED_TYPE` for nothing at all. */
export function countOf(values: ArrayLike<unknown>): number {
  return Array.isArray(values) ? values.length : looseCount(values);
}

function looseCount(values: ArrayLike<unknown>): number {
  if (isNothing(values)) throw unsupported("a list", values);
  return Math.max(0, Math.ceil(Number(lookup(values, "length")))) || 0;
}

/** The bytes of a list, or of another view's elements. At once, since an element may be an object that runs code. */
export function listedBytes(value: ArrayLike<number>, strict: boolean): Uint8Array {
  const isList = Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
  const length = isNothing(value) ? Number.NaN : isList ? value.length : Number(lookup(value, "length") || 0);
  const isLoose = !strict && length >= 0 && length < 2 ** 31;
  if (isBigInts(value) || !(isList || isLoose)) throw unsupported("bytes", value);
  const bytes = allocate(Math.floor(length));
  try {
    if (bytes.length > 0) bytes.set(value);
  } catch (cause) {
    // Bigints, symbols, a view that has more elements than it says. Other errors are of an element's own code.
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
    if (bytes[i] !== list[i]) throw new EncodeError("ERR_OUT_OF_RANGE", `${describe(list[i])} is no byte`, "$");
  }
}

/** A value that is not what it has to be. */
export function unsupported(expected: string, value: unknown, cause?: unknown): EncodeError {
  return new EncodeError("ERR_UNSUPPORTED_TYPE", `expected ${expected}, not ${describe(value)}`, "$", cause);
}
