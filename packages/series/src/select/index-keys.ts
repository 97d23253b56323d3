/**
 * Keys of the tag index (docs/series-format.md, section 2): `tag 00 value 00 chunk`, the chunk in four bytes. A tag and a value have
 * no zero byte, a chunk may have some: keys are read from their end.
 */
import { Buffer, isUtf8 } from "node:buffer";
import { ByteWriter } from "moonpack/bytes";
import { SeriesError } from "../errors.js";

/** Bytes of a chunk's number and of the zero before it. */
const TAIL = 5;
/** The last chunk: ids are below 2^31. */
const CHUNKS = 2 ** 19;

/** Writes keys and ends of ranges. Each is a new array. */
export class IndexKeys {
  readonly #writer = new ByteWriter();

  /** Returns the key of an entry. */
  entry(tag: string, value: string, chunk: number): Uint8Array<ArrayBuffer> {
    const w = this.#start(tag);
    w.utf8(value);
    w.u8(0);
    w.u32(chunk);
    return w.bytes.slice(0, w.pos);
  }

  /** Returns the range of a value's entries up to a chunk. */
  ofValue(tag: string, value: string, lastChunk: number): KeyRange {
    return [this.entry(tag, value, 0), this.entry(tag, value, lastChunk + 1)];
  }

  /** Returns the range of the entries of all values with a prefix. */
  ofPrefix(tag: string, prefix: string): KeyRange {
    const w = this.#start(tag);
    w.utf8(prefix);
    const from = w.bytes.slice(0, w.pos);
    // Bytes of UTF-8 are at most F4.
    w.u8(0xff);
    return [from, w.bytes.slice(0, w.pos)];
  }

  /** Returns the first key after all entries of a value. */
  afterValue(tag: string, value: string): Uint8Array<ArrayBuffer> {
    const w = this.#start(tag);
    w.utf8(value);
    w.u8(1);
    return w.bytes.slice(0, w.pos);
  }

  #start(tag: string): ByteWriter {
    const w = this.#writer;
    w.pos = 0;
    w.utf8(tag);
    w.u8(0);
    return w;
  }
}

/** The first key of a range, and the first key after it. */
export type KeyRange = readonly [from: Uint8Array<ArrayBuffer>, to: Uint8Array<ArrayBuffer>];

/** Returns the chunk in the key of an entry. Throws `ERR_SERIES_CORRUPT` for an invalid key. */
export function chunkOfKey(key: Uint8Array): number {
  const at = key.length - TAIL;
  const chunk =
    at < 1 ? CHUNKS : ((key[at + 1]! << 24) | (key[at + 2]! << 16) | (key[at + 3]! << 8) | key[at + 4]!) >>> 0;
  if (chunk >= CHUNKS || key[at] !== 0) throw damagedEntry(key, "the key of an index entry is damaged");
  return chunk;
}

/** Returns the value in the key of an entry whose tag has `tagBytes`. Throws `ERR_SERIES_CORRUPT` for an invalid key. */
export function valueOfKey(key: Uint8Array, tagBytes: number): string {
  const from = tagBytes + 1;
  const to = key.length - TAIL;
  const bytes = key instanceof Buffer ? key : Buffer.from(key.buffer, key.byteOffset, key.length);
  const value = from < to ? bytes.toString("utf8", from, to) : "";
  // U+FFFD comes from damaged bytes, or is part of the value.
  if (value === "" || value.includes("\0") || (value.includes("\ufffd") && !isUtf8(bytes.subarray(from, to))))
    throw damagedEntry(key, "the value in the key of an index entry is damaged");
  return value;
}

/** True if both keys have the same tag and value. */
export function haveSameValue(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = a.length - TAIL - 1; i >= 0; i--) if (a[i] !== b[i]) return false;
  return true;
}

/** Returns the error for a damaged entry. */
export function damagedEntry(key: Uint8Array, message: string): SeriesError {
  // A copy: the key may be a view of much more.
  return new SeriesError("ERR_SERIES_CORRUPT", message, { column: "index", key: Uint8Array.from(key) });
}
