/** Zigzag: signed integers as unsigned ones, small magnitudes first (0, -1, 1, -2, ..). Protocol Buffers encoding, "Signed integers". */

/** int32 to uint32. */
export function zigzag32(n: number): number {
  return ((n << 1) ^ (n >> 31)) >>> 0;
}

/** uint32 to int32. */
export function unzigzag32(n: number): number {
  return (n >>> 1) ^ -(n & 1);
}

/** Low word of the zigzag form of the int64 `hi * 2^32 + lo` (words as int32 or uint32). */
export function zigzag64Low(lo: number, hi: number): number {
  return ((lo << 1) ^ (hi >> 31)) >>> 0;
}

/** High word of the same. */
export function zigzag64High(lo: number, hi: number): number {
  return (((hi << 1) | (lo >>> 31)) ^ (hi >> 31)) >>> 0;
}

/** Low word of the int64 whose zigzag form has these words. */
export function unzigzag64Low(lo: number, hi: number): number {
  return (((lo >>> 1) | (hi << 31)) ^ -(lo & 1)) >>> 0;
}

/** High word of the same, as int32. */
export function unzigzag64High(lo: number, hi: number): number {
  return (hi >>> 1) ^ -(lo & 1);
}
