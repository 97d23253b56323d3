/** What reading and writing of `fidelity: "js"` share: the extension types (docs/fidelity.md), fixed for ever. */

/** No data. */
export const JS_UNDEFINED = 96;
/** An array of the members, in order. */
export const JS_SET = 97;
/** An array of keys and values in turn, in order. */
export const JS_MAP = 98;
/** An array of source and flags. */
export const JS_REGEXP = 99;
/** An array of name, message, stack or nil, cause or nil. */
export const JS_ERROR = 100;
/** A byte that tells the class (its index in {@link TYPED_ARRAYS}), then its bytes, numbers low byte first. */
export const JS_TYPED_ARRAY = 101;
/** A byte 00 (positive) or 01 (negative), then the magnitude, high byte first. */
export const JS_BIGINT = 102;

/** Index on the wire to class. Uint8Array is missing: it is MessagePack's bin. */
export const TYPED_ARRAYS = [
  ArrayBuffer,
  DataView,
  Int8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
] as const;

/** Errors that come back as what they were; others come back as Error with their name. */
export const ERROR_CLASSES = [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError] as const;
