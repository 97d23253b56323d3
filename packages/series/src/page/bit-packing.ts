/**
 * Bit packing: integers of a fixed width, one after the other from bit 0 up, with zero bits up to the last byte's end
 * (docs/series-format.md, first paragraph).
 */
import { type ByteReader, type ByteWriter, DecodeError } from "moonpack/bytes";

const TWO_32 = 2 ** 32;
/** Larger widths are read from two words. */
const MAX_ONE_WORD = 25;

/** Returns the bytes of `n` integers of `width` bits. */
export function packedSize(n: number, width: number): number {
  return Math.ceil((n * width) / 8);
}

/** Writes `values[from..to)` minus `min`, in `width` bits each, 0 to 54. */
export function writePacked(
  w: ByteWriter,
  values: Float64Array | Int32Array,
  from: number,
  to: number,
  min: number,
  width: number,
): void {
  // Writes whole words, up to four bytes beyond the end.
  w.reserve(packedSize(to - from, width) + 4);
  const { view } = w;
  let { pos } = w;
  let word = 0;
  let filled = 0;
  const low = width < 32 ? width : 32;
  const high = width - low;
  for (let i = from; i < to; i++) {
    const value = values[i]! - min;
    // A number of up to 54 bits modulo 2^32.
    const bits = value >>> 0;
    word |= bits << filled;
    filled += low;
    if (filled >= 32) {
      view.setInt32(pos, word, true);
      pos += 4;
      filled -= 32;
      word = filled === 0 ? 0 : bits >>> (low - filled);
    }
    if (high === 0) continue;
    const upper = Math.floor(value / TWO_32);
    word |= upper << filled;
    filled += high;
    if (filled >= 32) {
      view.setInt32(pos, word, true);
      pos += 4;
      filled -= 32;
      word = filled === 0 ? 0 : upper >>> (high - filled);
    }
  }
  view.setInt32(pos, word, true);
  w.pos = pos + ((filled + 7) >> 3);
}

/**
 * Reads `to - from` integers of `width` bits, plus `min`, into `values[from..to)`. At least four bytes must follow the packed
 * ones in the input's memory, as a page's checksum does: words are read whole.
 */
export function readPacked(
  r: ByteReader,
  values: Float64Array | Int32Array,
  from: number,
  to: number,
  min: number,
  width: number,
): void {
  const size = packedSize(to - from, width);
  r.need(size);
  const { view, pos: start } = r;
  if (width <= MAX_ONE_WORD) {
    const mask = (1 << width) - 1;
    let bit = start * 8;
    for (let i = from; i < to; i++, bit += width) {
      values[i] = ((view.getInt32(bit >>> 3, true) >>> (bit & 7)) & mask) + min;
    }
  } else {
    let bit = start * 8;
    const high = width > 32 ? width - 32 : 0;
    const low = width - high;
    for (let i = from; i < to; i++, bit += width) {
      const value = bitsAt(view, bit, low) >>> 0;
      values[i] = (high === 0 ? value : bitsAt(view, bit + 32, high) * TWO_32 + value) + min;
    }
  }
  r.pos = start + size;
  checkPadding(r, (to - from) * width);
}

/** Returns `width` bits, 1 to 32, from bit `bit` of the input, as int32. Four bytes must follow the last bit. */
export function bitsAt(view: DataView, bit: number, width: number): number {
  const at = bit >>> 3;
  const shift = bit & 7;
  let word = view.getInt32(at, true) >>> shift;
  if (shift + width > 32) word |= view.getUint8(at + 4) << (32 - shift);
  return width === 32 ? word : word & ((1 << width) - 1);
}

/** Throws unless the bits after the last of `bits` in its byte are zero. */
export function checkPadding(r: ByteReader, bits: number): void {
  const used = bits & 7;
  if (used !== 0 && r.bytes[r.pos - 1]! >>> used !== 0)
    throw new DecodeError("ERR_INVALID_PADDING", "unused bits are not 0", r.pos - 1);
}
