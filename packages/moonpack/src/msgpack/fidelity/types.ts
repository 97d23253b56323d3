/** What reading and writing of `fidelity: "js"` share: its extension types (docs/fidelity.md), fixed for ever. */

/**
 * The data of each is a MessagePack array: of nothing (undefined), the members (Set), keys and values in turn (Map),
 * source and flags (RegExp), name, message, stack or nil, cause or nil (Error), class and bytes (typed array: index in
 * {@link TYPED_ARRAYS}, numbers low byte first), sign and magnitude (bigint: true for negative, hexadecimal digits).
 */
export const JS_UNDEFINED = 96;
export const JS_SET = 97;
export const JS_MAP = 98;
export const JS_REGEXP = 99;
export const JS_ERROR = 100;
export const JS_TYPED_ARRAY = 101;
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

/** The index of the value's class, of whatever realm; -1 when it is none of these. */
export function typedArrayIndex(value: unknown): number {
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  const isOne = ArrayBuffer.isView(value) || tag === "ArrayBuffer";
  return isOne ? TYPED_ARRAYS.findIndex(({ name }) => name === tag) : -1;
}

/** Turns numbers of `size` bytes low byte first, or back. Nothing to do but on s390x. */
export function lowByteFirst(bytes: Uint8Array, size: number): void {
  if (new Uint8Array(Uint16Array.of(1).buffer)[0] === 1) return;
  for (let i = 0; i < bytes.length; i += size) bytes.subarray(i, i + size).reverse();
}
