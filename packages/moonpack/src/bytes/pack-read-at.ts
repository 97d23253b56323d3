/** Fixed-width numbers at a place, in memory whose bounds the caller has looked at: of PCK, little-endian. */

// Scratch of one call: filled and read at once.
const scratch = /* @__PURE__ */ new DataView(/* @__PURE__ */ new ArrayBuffer(8));

/** Unsigned, 2 bytes. */
export function u16At(b: Uint8Array, p: number): number {
  return b[p]! | (b[p + 1]! << 8);
}

/** Signed, 2 bytes. */
export function i16At(b: Uint8Array, p: number): number {
  return ((b[p]! << 16) | (b[p + 1]! << 24)) >> 16;
}

/** Signed, 4 bytes. */
export function i32At(b: Uint8Array, p: number): number {
  return b[p]! | (b[p + 1]! << 8) | (b[p + 2]! << 16) | (b[p + 3]! << 24);
}

/** Unsigned, 4 bytes. */
export function u32At(b: Uint8Array, p: number): number {
  return i32At(b, p) >>> 0;
}

/** IEEE 754, 4 bytes. */
export function f32At(b: Uint8Array, p: number): number {
  scratch.setInt32(0, i32At(b, p));
  return scratch.getFloat32(0);
}

/** IEEE 754, 8 bytes. */
export function f64At(b: Uint8Array, p: number): number {
  scratch.setInt32(4, i32At(b, p));
  scratch.setInt32(0, i32At(b, p + 4));
  return scratch.getFloat64(0);
}

/** Unsigned, 8 bytes. */
export function u64At(b: Uint8Array, p: number): bigint {
  return unsigned64(i32At(b, p), i32At(b, p + 4));
}

/** Signed, 8 bytes. */
export function i64At(b: Uint8Array, p: number): bigint {
  return signed64(i32At(b, p), i32At(b, p + 4));
}

/** A uint64 of two words. */
export function unsigned64(low: number, high: number): bigint {
  const top = high >>> 0;
  return top < 0x200000 ? BigInt(top * 0x100000000 + (low >>> 0)) : wide64(low, high, false);
}

/** An int64 of two words. */
export function signed64(low: number, high: number): bigint {
  const top = high | 0;
  return top >= -0x200000 && top < 0x200000 ? BigInt(top * 0x100000000 + (low >>> 0)) : wide64(low, high, true);
}

function wide64(low: number, high: number, isSigned: boolean): bigint {
  scratch.setInt32(0, high);
  scratch.setInt32(4, low);
  return isSigned ? scratch.getBigInt64(0) : scratch.getBigUint64(0);
}
