/** The extension types of `fidelity: "js"` (docs/fidelity.md), for reading and writing. They never change. */

/**
 * The data of each extension are a MessagePack array:
 * - undefined: empty.
 * - Set: its members. Map: keys and values in turn.
 * - RegExp: source, flags.
 * - Error: name, message, stack or nil, cause or nil.
 * - typed array: index in {@link TYPED_ARRAYS}, bytes with each number's low byte first.
 * - bigint: true for negative, hexadecimal digits of the magnitude.
 */
export const JS_UNDEFINED = 96;
export const JS_SET = 97;
export const JS_MAP = 98;
export const JS_REGEXP = 99;
export const JS_ERROR = 100;
export const JS_TYPED_ARRAY = 101;
export const JS_BIGINT = 102;

/** The classes by their index on the wire. Uint8Array is missing, since it is MessagePack's bin. */
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

/** The index of the value's class, in any realm; -1 if it is not in the list. */
export function typedArrayIndex(value: unknown): number {
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  const isOne = ArrayBuffer.isView(value) || tag === "ArrayBuffer";
  return isOne ? TYPED_ARRAYS.findIndex(({ name }) => name === tag) : -1;
}

/** Converts numbers of `size` bytes to low byte first, or back. Only does something on big-endian machines (s390x). */
export function lowByteFirst(bytes: Uint8Array, size: number): void {
  if (new Uint8Array(Uint16Array.of(1).buffer)[0] === 1) return;
  for (let i = 0; i < bytes.length; i += size) bytes.subarray(i, i + size).reverse();
}
