/** Snappy's block format, without frames: https://github.com/google/snappy/blob/main/format_description.txt */
import { allocate, DecodeError, truncated } from "moonpack/bytes";
import type { Pace } from "../eval/pace.js";

/** The most bytes that a copy of 3 bytes, the shortest for its effect, makes. */
const LONGEST_COPY = 64;
const SHORTEST_COPY = 3;
/** Longer literals are copied by one call. */
const SHORT_LITERAL = 32;
/** Packed bytes that are unpacked without a turn of the event loop, to 20 times as many bytes at most. */
const SLICE = 1 << 14;

/**
 * Returns the bytes that were packed. The size that they declare is checked before memory is taken: `ERR_LIMIT_BYTES` above
 * `maxRawBytes`, and `ERR_INVALID_BYTE` if copies could not make that many bytes. Throws DecodeErrors with the offset: also `ERR_TRUNCATED`,
 * and `ERR_OUT_OF_RANGE` for a size beyond 32 bits.
 */
export function unpackSnappy(packed: Uint8Array, maxRawBytes: number): Uint8Array<ArrayBuffer> {
  const unpacking = new Unpacking(packed, maxRawBytes);
  while (unpacking.next());
  return unpacking.raw;
}

/** Unpacks as {@link unpackSnappy} does, and lets the event loop run. */
export async function unpackSnappyInSlices(
  packed: Uint8Array,
  maxRawBytes: number,
  pace: Pace,
): Promise<Uint8Array<ArrayBuffer>> {
  const unpacking = new Unpacking(packed, maxRawBytes);
  while (unpacking.next()) await pace.spend(SLICE);
  return unpacking.raw;
}

class Unpacking {
  readonly raw: Uint8Array<ArrayBuffer>;
  readonly #packed: Uint8Array;
  #at: number;
  #to = 0;

  constructor(packed: Uint8Array, maxRawBytes: number) {
    const [size, start] = declaredSize(packed);
    if (size > maxRawBytes)
      throw new DecodeError("ERR_LIMIT_BYTES", `${size} bytes are packed, and the limit is ${maxRawBytes}`, 0);
    if (size * SHORTEST_COPY > (packed.length - start) * LONGEST_COPY)
      throw new DecodeError("ERR_INVALID_BYTE", `${packed.length} bytes cannot be ${size} bytes packed`, 0);
    this.raw = allocate(size);
    this.#packed = packed;
    this.#at = start;
  }

  /** Unpacks some elements. Returns false at the end. */
  next(): boolean {
    const packed = this.#packed;
    const { raw } = this;
    let at = this.#at;
    let to = this.#to;
    const limit = at + SLICE;
    while (at < packed.length && at < limit) {
      const tag = packed[at]!;
      const kind = tag & 3;
      const high = tag >>> 2;
      const extra = kind === 3 ? 4 : kind > 0 ? kind : high < 60 ? 0 : high - 59;
      let next = at + 1 + extra;
      if (next > packed.length) throw truncated(at, next - packed.length);
      const number = extra === 0 ? 0 : littleEndian(packed, at + 1, extra);
      const length = kind === 0 ? (extra > 0 ? number : high) + 1 : kind === 1 ? (high & 7) + 4 : high + 1;
      if (length > raw.length - to)
        throw new DecodeError("ERR_INVALID_BYTE", `more than the ${raw.length} declared bytes`, at);
      const end = to + length;
      if (kind === 0) {
        if (next + length > packed.length) throw truncated(at, next + length - packed.length);
        if (length > SHORT_LITERAL) {
          raw.set(packed.subarray(next, next + length), to);
          to = end;
          next += length;
        } else while (to < end) raw[to++] = packed[next++]!;
      } else {
        const offset = kind === 1 ? ((tag & 0xe0) << 3) | number : number;
        if (offset === 0 || offset > to)
          throw new DecodeError("ERR_INVALID_BYTE", `a copy from ${offset} bytes back, after ${to} bytes`, at);
        // One by one: a copy may read what it writes.
        for (; to < end; to++) raw[to] = raw[to - offset]!;
      }
      at = next;
    }
    if (at === packed.length && to < raw.length) throw truncated(at, raw.length - to);
    this.#at = at;
    this.#to = to;
    return at < packed.length;
  }
}

/** Returns the size of the raw bytes, a varint of 32 bits, and where it ends. Throws as {@link unpackSnappy}. */
export function declaredSize(packed: Uint8Array): readonly [number, number] {
  let size = 0;
  for (let i = 0; i < 5; i++) {
    const byte = packed[i];
    if (byte === undefined) throw truncated(0, 1);
    size += (byte & 0x7f) * 2 ** (7 * i);
    if (size >= 2 ** 32) break;
    if (byte < 0x80) return [size, i + 1];
  }
  throw new DecodeError("ERR_OUT_OF_RANGE", "the declared size is beyond 32 bits", 0);
}

function littleEndian(bytes: Uint8Array, at: number, count: number): number {
  let value = bytes[at]!;
  for (let i = 1; i < count; i++) value |= bytes[at + i]! << (8 * i);
  return value >>> 0;
}
