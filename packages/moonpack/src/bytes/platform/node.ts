/**
 * UTF-8 and memory in Node. Buffer's methods accept plain Uint8Arrays, so no Buffer is created. The thresholds were measured on Node 20
 * (docs/performance-notes.md); Node 22 and 24 have similar ones.
 */
import { Buffer, isAscii, isUtf8, transcode } from "node:buffer";
import { fewUnits, utf8ToUnits, writeUtf8Loop } from "../utf8/common.js";
import { readAscii8, readShortAscii, SHORT_STRING } from "../utf8/short-ascii.js";

export { readUtf8Lossy, toWellFormed } from "../utf8/common.js";

interface NativeSlices {
  latin1Slice(this: Uint8Array, start: number, end: number): string;
  ucs2Slice(this: Uint8Array, start: number, end: number): string;
  utf8Write(this: Uint8Array, text: string, offset: number, length: number): number;
  ucs2Write(this: Uint8Array, text: string, offset: number, length: number): number;
}
const { latin1Slice, ucs2Slice, utf8Write, ucs2Write } = Buffer.prototype as unknown as NativeSlices;

/**
 * From this size on Buffer's transcode (ICU) is faster than the loop; it has a fixed cost of about 2 us. (With many accents from
 * 450 bytes on, with a few dashes from 1,000.)
 */
const TRANSCODE_BYTES = 768;
/** The same for text of three-byte characters, which the loop reads four at a time. */
const TRANSCODE_DENSE_BYTES = 1536;
/** Up to this size an ASCII test by words is faster than isAscii, which takes a new view (130 ns at any length). */
const WORD_TEST_BYTES = 144;
/** Below this many code units a loop is faster than utf8Write (a call costs 90-160 ns). */
const LOOP_UNITS = 28;
/** Above this many two-byte code units ICU is twice as fast as utf8Write. */
const LONG_UNITS = 4096;

/** Above this many code units a search of the bytes (0.1 ns a byte) is faster than isWellFormed (0.8 ns a two-byte unit). */
const SEARCHED_UNITS = 1024;
/** U+FFFD in UTF-8. */
const REPLACEMENT = /* @__PURE__ */ Buffer.from([0xef, 0xbf, 0xbd]);

// The code units of one call of readUnits, in which no other code runs.
const units = /* @__PURE__ */ new Uint16Array(TRANSCODE_DENSE_BYTES);
const unitBytes = /* @__PURE__ */ new Uint8Array(units.buffer);

/**
 * Decodes `bytes[start..end)`. Returns null when they are malformed; never throws. The caller has checked the bounds. `view` is a
 * view of the same memory as `bytes`: the ASCII test is four times as fast with four bytes at a time.
 *
 * @example
 * const text = readUtf8(reader.bytes, reader.view, reader.pos, reader.pos + n);
 */
export function readUtf8(bytes: Uint8Array, view: DataView, start: number, end: number): string | null {
  const n = end - start;
  if (n <= SHORT_STRING) {
    const text = readShortAscii(bytes, start, n);
    return text !== null ? text : readUnits(bytes, view, start, end);
  }
  if (n > WORD_TEST_BYTES) return readLong(bytes, view, start, end);
  let or = view.getInt32(end - 4, true);
  for (let i = start; i < end - 4; i += 4) or |= view.getInt32(i, true);
  return (or & 0x80808080) === 0 ? latin1Slice.call(bytes, start, end) : readUnits(bytes, view, start, end);
}

/**
 * Works like {@link readUtf8}, for a process that has not read much yet: all ASCII by latin1Slice. Until V8 has optimised the code that
 * reads character by character, that takes several times as long: a sixth of the time of a process's first 1,000 messages.
 */
export function readUtf8Cold(bytes: Uint8Array, view: DataView, start: number, end: number): string | null {
  const n = end - start;
  if (n > WORD_TEST_BYTES) return readLong(bytes, view, start, end);
  let or = 0;
  if (n >= 4) {
    or = view.getInt32(end - 4, true);
    for (let i = start; i < end - 4; i += 4) or |= view.getInt32(i, true);
  } else for (let i = start; i < end; i++) or |= bytes[i]!;
  return (or & 0x80808080) === 0 ? latin1Slice.call(bytes, start, end) : readUnits(bytes, view, start, end);
}

/**
 * Works like {@link readUtf8}, for callers without a view, which takes 190 ns to create. Reads ASCII of up to 144 bytes; returns null for
 * all other bytes, which may be well-formed.
 */
export function readAscii(bytes: Uint8Array, start: number, end: number): string | null {
  const n = end - start;
  // Small enough for V8 to inline it into a decoder, where the shortest text then takes one call.
  if (n < 9) return readAscii8(bytes, start, n);
  return n <= SHORT_STRING ? readShortAscii(bytes, start, n) : readLongerAscii(bytes, start, end);
}

function readLongerAscii(bytes: Uint8Array, start: number, end: number): string | null {
  if (end - start > WORD_TEST_BYTES) return null;
  let or = 0;
  let i = start;
  for (; i + 4 <= end; i += 4) or |= bytes[i]! | bytes[i + 1]! | bytes[i + 2]! | bytes[i + 3]!;
  for (; i < end; i++) or |= bytes[i]!;
  return or < 0x80 ? latin1Slice.call(bytes, start, end) : null;
}

function readLong(bytes: Uint8Array, view: DataView, start: number, end: number): string | null {
  const first = bytes[start]!;
  const isDense = first >= 0xe0 && bytes[end - 3]! >= 0xe0;
  if (isDense && end - start < TRANSCODE_DENSE_BYTES) return readUnits(bytes, view, start, end);
  const part = new Uint8Array(bytes.buffer, bytes.byteOffset + start, end - start);
  if (first < 0x80 && isAscii(part)) return latin1Slice.call(part, 0, part.length);
  if (part.length < TRANSCODE_BYTES) return readUnits(bytes, view, start, end);
  if (!isUtf8(part)) return null;
  // utf8Slice takes 5-9 ns a byte for CJK on Node 20 and 22; through UTF-16 it is 3 to 12 times as fast.
  const wide = transcode(part, "utf8", "ucs2");
  return ucs2Slice.call(wide, 0, wide.length);
}

function readUnits(bytes: Uint8Array, view: DataView, start: number, end: number): string | null {
  const n = utf8ToUnits(units, bytes, view, start, end);
  if (n < 0) return null;
  return n <= 8 ? fewUnits(units, n) : ucs2Slice.call(unitBytes, 0, n * 2);
}

/**
 * Writes text at `pos`. Returns the position after it, or -1 for a lone surrogate. The caller has made room for 3 bytes a code
 * unit.
 *
 * @example
 * w.reserve(3 * text.length);
 * w.pos = writeUtf8(w.bytes, w.pos, text);
 */
export function writeUtf8(bytes: Uint8Array, pos: number, text: string): number {
  const n = text.length;
  if (n < LOOP_UNITS) return writeUtf8Loop(bytes, pos, text);
  if (n > LONG_UNITS && isDense(text)) return writeWide(bytes, pos, text);
  const written = utf8Write.call(bytes, text, pos, bytes.length - pos);
  // utf8Write replaces lone surrogates silently. Only text that is not ASCII can have any.
  if (written === n) return pos + written;
  // Without a replacement character in the bytes, nothing was replaced. The search is faster than isWellFormed.
  if (n > SEARCHED_UNITS && Buffer.from(bytes.buffer, bytes.byteOffset + pos, written).indexOf(REPLACEMENT) < 0)
    return pos + written;
  return text.isWellFormed() ? pos + written : -1;
}

/** True when three sampled characters take three bytes each: then nearly all do. Counting would take longer than writing. */
function isDense(text: string): boolean {
  const n = text.length;
  return text.charCodeAt(0) > 0x7ff && text.charCodeAt(n >> 1) > 0x7ff && text.charCodeAt(n - 1) > 0x7ff;
}

/** Writes through UTF-16 and ICU: half the time of utf8Write, and ICU rejects lone surrogates. */
function writeWide(bytes: Uint8Array, pos: number, text: string): number {
  const n = text.length;
  const wide = Buffer.allocUnsafe(n * 2);
  ucs2Write.call(wide, text, 0, n * 2);
  try {
    const narrow = transcode(wide, "ucs2", "utf8");
    bytes.set(narrow, pos);
    return pos + narrow.length;
  } catch {
    return -1; // a lone surrogate
  }
}

/** Returns the number of bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

/** A Buffer over the same memory: the option `binary: "buffer"`. */
export function asBuffer({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return Buffer.from(buffer, byteOffset, length);
}

/** Loaded with the first slab: to load node:worker_threads takes 2 ms, and a process that only decodes has no slab. */
let mark: ((slab: object) => void) | undefined;

/**
 * Makes the runtime refuse to transfer a slab to another thread (Node 20 sends a copy), as Node does with the pool of its Buffers: a
 * transfer would empty all other results in the slab. It takes 0.3 us for each slab.
 */
export function guardSlab(slab: ArrayBuffer): void {
  mark ??= process.getBuiltinModule("node:worker_threads").markAsUntransferable;
  mark(slab);
}
