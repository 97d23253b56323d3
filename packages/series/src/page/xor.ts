/** Codec 4 (docs/series-format.md, "Value block"): the bits of each value, XOR the bits of the value before. */
import { type ByteReader, type ByteWriter, DecodeError } from "moonpack/bytes";
import { bitsAt, checkPadding } from "./bit-packing.js";

const RUN = 64;
const MAX_WIDTH = 64;
/** The flag in a run's first byte for a bitmap of changed values. */
const BITMAP = 0x80;

/** The common properties of a run of `x = bits[i] xor bits[i - 1]`. */
interface XorRun {
  width: number;
  trail: number;
  changes: number;
  /** Returns the number of bytes after the width. */
  size: number;
  hasBitmap: boolean;
}

/** Returns the encoded size of `n` values. */
export function xorSize(words: Int32Array, n: number): number {
  const run = newRun();
  let size = 8;
  for (let from = 1; from < n; from += RUN) {
    lookAt(words, from, Math.min(from + RUN, n), run);
    size += 1 + run.size;
  }
  return size;
}

/** Writes `n` values. */
export function writeXor(w: ByteWriter, words: Int32Array, n: number): void {
  w.u64(words[0]!, words[1]!, true);
  const run = newRun();
  for (let from = 1; from < n; from += RUN) {
    const to = Math.min(from + RUN, n);
    lookAt(words, from, to, run);
    w.u8(run.hasBitmap ? run.width | BITMAP : run.width);
    if (run.width === 0) continue;
    w.u8(run.trail);
    if (run.hasBitmap) writeChanges(w, words, from, to);
    writeRun(w, words, from, to, run);
  }
}

function newRun(): XorRun {
  return { width: 0, trail: 0, changes: 0, size: 0, hasBitmap: false };
}

function lookAt(words: Int32Array, from: number, to: number, run: XorRun): void {
  let low = 0;
  let high = 0;
  let changes = 0;
  for (let i = from; i < to; i++) {
    const xLow = words[2 * i]! ^ words[2 * i - 2]!;
    const xHigh = words[2 * i + 1]! ^ words[2 * i - 1]!;
    low |= xLow;
    high |= xHigh;
    if ((xLow | xHigh) !== 0) changes++;
  }
  run.changes = changes;
  if (changes === 0) {
    run.width = run.trail = run.size = 0;
    run.hasBitmap = false;
    return;
  }
  const n = to - from;
  run.trail = low !== 0 ? trailingZeros(low) : 32 + trailingZeros(high);
  run.width = (high !== 0 ? 64 - Math.clz32(high) : 32 - Math.clz32(low)) - run.trail;
  const plain = (n * run.width + 7) >> 3;
  const withBitmap = ((n + 7) >> 3) + ((changes * run.width + 7) >> 3);
  run.hasBitmap = withBitmap < plain;
  run.size = 1 + (run.hasBitmap ? withBitmap : plain);
}

function trailingZeros(word: number): number {
  return 31 - Math.clz32(word & -word);
}

function writeChanges(w: ByteWriter, words: Int32Array, from: number, to: number): void {
  let byte = 0;
  for (let i = from; i < to; i++) {
    const bit = (i - from) & 7;
    if (words[2 * i] !== words[2 * i - 2] || words[2 * i + 1] !== words[2 * i - 1]) byte |= 1 << bit;
    if (bit === 7 || i === to - 1) {
      w.u8(byte);
      byte = 0;
    }
  }
}

function writeRun(w: ByteWriter, words: Int32Array, from: number, to: number, run: XorRun): void {
  const { width, trail, hasBitmap } = run;
  let byte = 0;
  let filled = 0;
  for (let i = from; i < to; i++) {
    const xLow = words[2 * i]! ^ words[2 * i - 2]!;
    const xHigh = words[2 * i + 1]! ^ words[2 * i - 1]!;
    if (hasBitmap && (xLow | xHigh) === 0) continue;
    let low = shiftedLow(xLow, xHigh, trail);
    let high = trail < 32 ? xHigh >>> trail : 0;
    // Works on bytes: this codec is for incompressible values, where packing does not dominate the time.
    for (let left = width; left > 0; ) {
      byte |= (low << filled) & 0xff;
      const taken = Math.min(8 - filled, left);
      filled += taken;
      left -= taken;
      low = (low >>> taken) | (high << (32 - taken));
      high >>>= taken;
      if (filled === 8) {
        w.u8(byte);
        byte = filled = 0;
      }
    }
  }
  if (filled > 0) w.u8(byte);
}

/** Returns the low word of a two-word value, shifted right by 0 to 63. */
function shiftedLow(low: number, high: number, by: number): number {
  if (by >= 32) return high >>> (by - 32);
  return by === 0 ? low : (low >>> by) | (high << (32 - by));
}

/** Reads `n` values. */
export function readXor(r: ByteReader, words: Int32Array, n: number): void {
  words[0] = r.u64(true);
  words[1] = r.high;
  for (let from = 1; from < n; from += RUN) readRun(r, words, from, Math.min(from + RUN, n));
}

/** Skips `n` values. */
export function skipXor(r: ByteReader, n: number): void {
  r.need(8);
  r.pos += 8;
  for (let from = 1; from < n; from += RUN) readRun(r, null, from, Math.min(from + RUN, n));
}

function readRun(r: ByteReader, words: Int32Array | null, from: number, to: number): void {
  const start = r.pos;
  const head = r.u8();
  const width = head & ~BITMAP;
  const count = to - from;
  if (width > MAX_WIDTH) throw new DecodeError("ERR_OUT_OF_RANGE", `a width of ${width} bits`, start);
  if (width === 0) {
    if (head !== 0) throw new DecodeError("ERR_INVALID_BYTE", "a bitmap of no changes", start);
    if (words !== null) for (let i = 2 * from; i < 2 * to; i++) words[i] = words[i - 2]!;
    return;
  }
  const trail = r.u8();
  if (width + trail > 64) throw new DecodeError("ERR_OUT_OF_RANGE", "bits beyond 64", start);
  const bitmap = head === width ? -1 : r.pos;
  let changes = count;
  if (bitmap >= 0) {
    changes = countBits(r.raw((count + 7) >> 3));
    checkPadding(r, count);
  }
  const bits = changes * width;
  const at = r.pos;
  r.need((bits + 7) >> 3);
  r.pos = at + ((bits + 7) >> 3);
  checkPadding(r, bits);
  if (words === null) return;
  let bit = 8 * at;
  for (let i = from; i < to; i++) {
    const k = i - from;
    let low = words[2 * i - 2]!;
    let high = words[2 * i - 1]!;
    if (bitmap < 0 || (r.bytes[bitmap + (k >> 3)]! & (1 << (k & 7))) !== 0) {
      const lowBits = bitsAt(r.view, bit, width < 32 ? width : 32);
      const highBits = width > 32 ? bitsAt(r.view, bit + 32, width - 32) : 0;
      bit += width;
      if (trail >= 32) high ^= lowBits << (trail - 32);
      else if (trail === 0) {
        low ^= lowBits;
        high ^= highBits;
      } else {
        low ^= lowBits << trail;
        high ^= (highBits << trail) | (lowBits >>> (32 - trail));
      }
    }
    words[2 * i] = low;
    words[2 * i + 1] = high;
  }
}

function countBits(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) for (let rest = byte; rest !== 0; rest &= rest - 1) count++;
  return count;
}
