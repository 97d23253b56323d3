/** Reading text and bytes. */
import { readAscii, readUtf8 } from "#utf8";
import { truncated } from "./input.js";
import { type PackReader, readUvar, refused, skipFixed, viewOf } from "./pack-reader.js";

/** Longer texts are read through the view. */
const SHORT_TEXT = 32;
/** A view is made for the texts of more bytes than these; with fewer left only when one is there. */
const VIEWED_BYTES = 512;

/** Skips a count and so many bytes; answers where these begin. */
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

function text(r: PackReader, start: number, end: number): string | null {
  const { bytes } = r;
  // The least that a view must be worth: it is made once.
  if (end - start <= SHORT_TEXT || (r.view === null && r.end - start < VIEWED_BYTES)) {
    const ascii = readAscii(bytes, start, end);
    if (ascii !== null) return ascii;
  }
  return readUtf8(bytes, viewOf(r), start, end);
}

/** Text with its count. `ERR_INVALID_UTF8`. */
export function readText(r: PackReader): string {
  const start = r.pos;
  const from = skipCounted(r);
  const value = text(r, from, r.pos);
  if (value === null) throw refused("ERR_INVALID_UTF8", "malformed UTF-8", start);
  return value;
}

/** ASCII with its count, or without one, of exactly `length` characters. `ERR_INVALID_ASCII`. */
export function readAsciiText(r: PackReader, length = 0): string {
  const start = r.pos;
  const from = length === 0 ? skipCounted(r) : skipFixed(r, length);
  const value = text(r, from, r.pos);
  // As many characters as bytes: each is ASCII.
  if (value === null || value.length !== r.pos - from) throw refused("ERR_INVALID_ASCII", "not ASCII", start);
  return value;
}

/** Bytes with their count, or without one, of exactly `length`: a copy. */
export function readBinary(r: PackReader, length = 0): Uint8Array<ArrayBuffer> {
  const from = length === 0 ? skipCounted(r) : skipFixed(r, length);
  return new Uint8Array(r.bytes.subarray(from, r.pos));
}

/** The same as a view of the input. */
export function readBinaryView(r: PackReader, length = 0): Uint8Array<ArrayBuffer> {
  const from = length === 0 ? skipCounted(r) : skipFixed(r, length);
  const { bytes } = r; // of a Buffer, `subarray` would be one
  return new Uint8Array(bytes.buffer, bytes.byteOffset + from, r.pos - from);
}
