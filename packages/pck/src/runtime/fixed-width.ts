/** Little-endian numbers of fixed width at position `p`. The caller has checked that their bytes are there. */

// Filled and read within one call of a function below.
const scratch = /* @__PURE__ */ new DataView(/* @__PURE__ */ new ArrayBuffer(8));

/** Returns the u16 at `p`. */
export function u16At(b: Uint8Array, p: number): number {
  return b[p]! | (b[p + 1]! << 8);
}

/** Returns the i16 at `p`. */
export function i16At(b: Uint8Array, p: number): number {
  return ((b[p]! << 16) | (b[p + 1]! << 24)) >> 16;
}

/** Returns the i32 at `p`. */
export function i32At(b: Uint8Array, p: number): number {
  return b[p]! | (b[p + 1]! << 8) | (b[p + 2]! << 16) | (b[p + 3]! << 24);
}

/** Returns the u32 at `p`. */
export function u32At(b: Uint8Array, p: number): number {
  return i32At(b, p) >>> 0;
}

/** Returns the f32 (IEEE 754) at `p`. */
export function f32At(b: Uint8Array, p: number): number {
  scratch.setInt32(0, i32At(b, p));
  return scratch.getFloat32(0);
}

/** Returns the f64 (IEEE 754) at `p`. */
export function f64At(b: Uint8Array, p: number): number {
  scratch.setInt32(4, i32At(b, p));
  scratch.setInt32(0, i32At(b, p + 4));
  return scratch.getFloat64(0);
}

/** Returns the u64 at `p`. */
export function u64At(b: Uint8Array, p: number): bigint {
  return unsigned64(i32At(b, p), i32At(b, p + 4));
}

/** Returns the i64 at `p`. */
export function i64At(b: Uint8Array, p: number): bigint {
  return signed64(i32At(b, p), i32At(b, p + 4));
}

/** Returns the uint64 that consists of two 32-bit words. */
export function unsigned64(low: number, high: number): bigint {
  const top = high >>> 0;
  return top < 0x200000 ? BigInt(top * 0x100000000 + (low >>> 0)) : wide64(low, high, false);
}

/** Returns the int64 that consists of two 32-bit words. */
export function signed64(low: number, high: number): bigint {
  const top = high | 0;
  return top >= -0x200000 && top < 0x200000 ? BigInt(top * 0x100000000 + (low >>> 0)) : wide64(low, high, true);
}

function wide64(low: number, high: number, isSigned: boolean): bigint {
  scratch.setInt32(0, high);
  scratch.setInt32(4, low);
  return isSigned ? scratch.getBigInt64(0) : scratch.getBigUint64(0);
}
