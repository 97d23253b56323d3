/**
 * FOR, frame of reference (docs/series-format.md, "Integer codecs"): for each run of 64 integers the minimum, a width, and the differences
 * to the minimum in `width` bits.
 */
import { type ByteReader, type ByteWriter, DecodeError } from "moonpack/bytes";
import { packedSize, readPacked, writePacked } from "./bit-packing.js";
import { bitWidth, readZigzag, uvarSize, writeZigzag, zigzag } from "./numbers.js";

/** Integers of a run. */
export const RUN = 64;
/** Maximum bits of the difference of two integers of up to 2^52 in magnitude. */
const MAX_WIDTH = 54;

/** Returns the encoded size of `values[from..to)`. */
export function forSize(values: Float64Array | Int32Array, from: number, to: number): number {
  let size = 0;
  for (let start = from; start < to; start += RUN) {
    const end = Math.min(start + RUN, to);
    let min = values[start]!;
    let max = min;
    for (let i = start + 1; i < end; i++) {
      const value = values[i]!;
      if (value < min) min = value;
      else if (value > max) max = value;
    }
    size += uvarSize(zigzag(min)) + 1 + packedSize(end - start, bitWidth(max - min));
  }
  return size;
}

/** Writes `values[from..to)`. */
export function writeFor(w: ByteWriter, values: Float64Array | Int32Array, from: number, to: number): void {
  for (let start = from; start < to; start += RUN) {
    const end = Math.min(start + RUN, to);
    let min = values[start]!;
    let max = min;
    for (let i = start + 1; i < end; i++) {
      const value = values[i]!;
      if (value < min) min = value;
      else if (value > max) max = value;
    }
    const width = bitWidth(max - min);
    writeZigzag(w, min);
    w.u8(width);
    writePacked(w, values, start, end, min, width);
  }
}

/** Reads into `values[from..to)`. Runs without values from `first` to `last` (exclusive) are skipped. */
export function readFor(
  r: ByteReader,
  values: Float64Array | Int32Array,
  from: number,
  to: number,
  first = from,
  last = to,
): void {
  for (let start = from; start < to; start += RUN) {
    const end = Math.min(start + RUN, to);
    const min = readZigzag(r);
    const width = readWidth(r);
    if (end <= first || start >= last) skipPacked(r, end - start, width);
    else if (width === 0) values.fill(min, start, end);
    else readPacked(r, values, start, end, min, width);
  }
}

/** Reads into `values[from..to)`. Throws unless all values are from `least` to `greatest`, two numbers of at most 31 bits. */
export function readSmallFor(
  r: ByteReader,
  values: Int32Array,
  from: number,
  to: number,
  least: number,
  greatest: number,
): void {
  const maxWidth = bitWidth(greatest - least);
  for (let start = from; start < to; start += RUN) {
    const end = Math.min(start + RUN, to);
    const at = r.pos;
    const min = readZigzag(r);
    const width = r.u8();
    // Larger values must not be stored: they would wrap around at 32 bits.
    if (min < least || min > greatest || width > maxWidth) throw outOfRange(at, least, greatest);
    if (width === 0) values.fill(min, start, end);
    else readPacked(r, values, start, end, min, width);
    for (let i = start; i < end; i++) if (values[i]! > greatest) throw outOfRange(at, least, greatest);
  }
}

function outOfRange(at: number, least: number, greatest: number): DecodeError {
  return new DecodeError("ERR_OUT_OF_RANGE", `an integer outside of ${least} to ${greatest}`, at);
}

/** Skips `n` integers. */
export function skipFor(r: ByteReader, n: number): void {
  for (let left = n; left > 0; left -= RUN) {
    readZigzag(r);
    skipPacked(r, Math.min(left, RUN), readWidth(r));
  }
}

function skipPacked(r: ByteReader, n: number, width: number): void {
  const size = packedSize(n, width);
  r.need(size);
  r.pos += size;
}

function readWidth(r: ByteReader): number {
  const width = r.u8();
  if (width > MAX_WIDTH) throw new DecodeError("ERR_OUT_OF_RANGE", `a width of ${width} bits`, r.pos - 1);
  return width;
}
