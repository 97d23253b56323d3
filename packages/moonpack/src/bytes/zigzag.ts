/**
 * Zigzag: signed integers as unsigned integers, small magnitudes first (0, -1, 1, -2, ..), so that small negative numbers take
 * few bytes as varints. Protocol Buffers encoding, "Signed Integers".
 */

/**
 * Returns the zigzag form of an int32, as uint32.
 *
 * @example
 * zigzag32(-3); // 5
 */
export function zigzag32(n: number): number {
  return ((n << 1) ^ (n >> 31)) >>> 0;
}

/** Returns the int32 whose zigzag form is the uint32 `n`. */
export function unzigzag32(n: number): number {
  return (n >>> 1) ^ -(n & 1);
}

/** Returns the low word (uint32) of the zigzag form of the int64 `hi * 2^32 + lo`. The words are int32 or uint32. */
export function zigzag64Low(lo: number, hi: number): number {
  return ((lo << 1) ^ (hi >> 31)) >>> 0;
}

/** Returns the high word (uint32) of the zigzag form of the int64 `hi * 2^32 + lo`. */
export function zigzag64High(lo: number, hi: number): number {
  return (((hi << 1) | (lo >>> 31)) ^ (hi >> 31)) >>> 0;
}

/** Returns the low word (uint32) of the int64 whose zigzag form has these words. */
export function unzigzag64Low(lo: number, hi: number): number {
  return (((lo >>> 1) | (hi << 31)) ^ -(lo & 1)) >>> 0;
}

/** Returns the high word (int32) of the int64 whose zigzag form has these words. */
export function unzigzag64High(lo: number, hi: number): number {
  return (hi >>> 1) ^ -(lo & 1);
}
