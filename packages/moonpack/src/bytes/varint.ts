/**
 * LEB128 varints: seven bits a byte, lowest first; the top bit is set when another byte follows. A uint32 takes 1 to 5 bytes, a
 * uint64 1 to 10. 64-bit values are passed as two 32-bit words, since a BigInt costs an allocation.
 */

/**
 * Returns the number of bytes of a uint32 as LEB128: to reserve room before {@link putUvar32}.
 *
 * @example
 * uvar32Size(300); // 2
 */
export function uvar32Size(n: number): number {
  return n < 0x80 ? 1 : n < 0x4000 ? 2 : n < 0x200000 ? 3 : n < 0x10000000 ? 4 : 5;
}

/** Returns the number of bytes of the uint64 `hi * 2^32 + lo` as LEB128. Both words are uint32. */
export function uvar64Size(lo: number, hi: number): number {
  if (hi === 0) return uvar32Size(lo);
  if (hi < 8) return 5;
  return hi < 0x400 ? 6 : hi < 0x20000 ? 7 : hi < 0x1000000 ? 8 : hi < 0x80000000 ? 9 : 10;
}

/**
 * Writes a uint32 as LEB128 at `p`, without any check, and returns the position after it. The caller has made room for 5 bytes:
 * for hot loops that have checked their values.
 *
 * @example
 * w.reserve(5);
 * w.pos = putUvar32(w.bytes, w.pos, 300);
 */
export function putUvar32(b: Uint8Array, p: number, n: number): number {
  if (n >= 0x80) return putLonger(b, p, n);
  b[p] = n;
  return p + 1;
}

/** A separate function, so that the case of one byte is inlined. */
function putLonger(b: Uint8Array, p: number, n: number): number {
  b[p++] = n | 0x80;
  n >>>= 7;
  while (n > 0x7f) {
    b[p++] = n | 0x80;
    n >>>= 7;
  }
  b[p] = n;
  return p + 1;
}

/** Works like {@link putUvar32}, for the uint64 of two uint32 words. The caller has made room for 10 bytes. */
export function putUvar64(b: Uint8Array, p: number, lo: number, hi: number): number {
  while (hi !== 0) {
    b[p++] = lo | 0x80;
    lo = ((lo >>> 7) | (hi << 25)) >>> 0;
    hi >>>= 7;
  }
  return putUvar32(b, p, lo);
}
