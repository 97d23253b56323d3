/** Reads text and bytes. */
import { readAscii, readUtf8, truncated } from "moonpack/bytes";
import { type PackReader, readUvar, refused, skipFixed, viewOf } from "./reader.js";

/** Longer text is decoded through the DataView. */
const SHORT_TEXT = 32;
/** A DataView is made when at least this many bytes are left: making it pays off over all texts in them. */
const VIEWED_BYTES = 512;

/** Reads a byte count, skips that many bytes and returns their start. */
function skipCounted(r: PackReader): number {
  const start = r.pos;
  const n = readUvar(r);
  const from = r.pos;
  if (from + n > r.end) {
    r.pos = start;
    throw truncated(start, from + n - r.end);
  }
  r.pos = from + n;
  return from;
}

/** Returns the text in `bytes[start..end)`; null for malformed UTF-8. */
function text(r: PackReader, start: number, end: number): string | null {
  const { bytes } = r;
  if (end - start <= SHORT_TEXT || (r.view === null && r.end - start < VIEWED_BYTES)) {
    const ascii = readAscii(bytes, start, end);
    if (ascii !== null) return ascii;
  }
  return readUtf8(bytes, viewOf(r), start, end);
}

/** Reads a byte count and UTF-8 text. Throws `ERR_INVALID_UTF8` for malformed text. */
export function readText(r: PackReader): string {
  const start = r.pos;
  const from = skipCounted(r);
  const value = text(r, from, r.pos);
  if (value === null) throw refused("ERR_INVALID_UTF8", "malformed UTF-8", start);
  return value;
}

/** Reads ASCII text of `length` characters; 0 stands for text with a count before it. Throws `ERR_INVALID_ASCII`. */
export function readAsciiText(r: PackReader, length = 0): string {
  const start = r.pos;
  const from = length === 0 ? skipCounted(r) : skipFixed(r, length);
  const value = text(r, from, r.pos);
  // Only ASCII has as many characters as bytes.
  if (value === null || value.length !== r.pos - from) throw refused("ERR_INVALID_ASCII", "not ASCII", start);
  return value;
}

/** Reads `length` bytes as a copy; 0 stands for bytes with a count before them. */
export function readBinary(r: PackReader, length = 0): Uint8Array<ArrayBuffer> {
  const from = length === 0 ? skipCounted(r) : skipFixed(r, length);
  return new Uint8Array(r.bytes.subarray(from, r.pos));
}

/** Works like {@link readBinary}, and returns a view of the input. */
export function readBinaryView(r: PackReader, length = 0): Uint8Array<ArrayBuffer> {
  const from = length === 0 ? skipCounted(r) : skipFixed(r, length);
  const { bytes } = r; // `subarray` of a Buffer would return a Buffer
  return new Uint8Array(bytes.buffer, bytes.byteOffset + from, r.pos - from);
}
