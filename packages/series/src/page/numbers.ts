/**
 * Integers of up to 53 bits as varints (docs/series-format.md, "uvar" and "zig"). They are JavaScript numbers: two words or a BigInt per
 * integer would cost more than the rest of the codec.
 */
import { type ByteReader, type ByteWriter, DecodeError } from "moonpack/bytes";

const TWO_32 = 2 ** 32;
/** The largest value of a uvar. */
const MAX_UVAR = 2 ** 53;

/** Writes an integer from 0 to 2^53 as uvar: 1 to 8 bytes. */
export function writeUvar(w: ByteWriter, n: number): void {
  w.uvar64(n >>> 0, Math.floor(n / TWO_32));
}

/** Returns the number of bytes that {@link writeUvar} writes. */
export function uvarSize(n: number): number {
  if (n < 0x80) return 1;
  if (n < 0x4000) return 2;
  let size = 3;
  for (let rest = n / 0x200000; rest >= 1; rest /= 0x80) size++;
  return size;
}

/** Reads a uvar. Throws `ERR_OUT_OF_RANGE` beyond 2^53. */
export function readUvar(r: ByteReader): number {
  const start = r.pos;
  const low = r.uvar64();
  const n = r.high * TWO_32 + low;
  // As a number, 2^53 + 1 has been rounded to 2^53; only its low word differs.
  if (n >= MAX_UVAR && (n > MAX_UVAR || low !== 0))
    throw new DecodeError("ERR_OUT_OF_RANGE", "a varint beyond 2^53", start);
  return n;
}

/** Returns the zigzag form of an integer of at most 2^52 in magnitude. */
export function zigzag(n: number): number {
  return n < 0 ? -2 * n - 1 : 2 * n;
}

/** Writes a signed integer as uvar of its zigzag form. */
export function writeZigzag(w: ByteWriter, n: number): void {
  writeUvar(w, zigzag(n));
}

/** Reads a zigzag varint. */
export function readZigzag(r: ByteReader): number {
  const n = readUvar(r);
  // Not n >> 1, which has 32 bits. Half of an odd number is exact: it has at most 53 bits.
  return n % 2 === 0 ? n / 2 : -(n + 1) / 2;
}

/** Returns the number of bits of an integer from 0 to 2^54. */
export function bitWidth(n: number): number {
  return n < TWO_32 ? 32 - Math.clz32(n) : 64 - Math.clz32(n / TWO_32);
}
