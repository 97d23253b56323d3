/**
 * UTF-8 and memory in browsers: the default variant, but with the engine's own well-formedness test (all browsers since 2023), which
 * returns at once for strings without two-byte characters.
 */
import { utf8LengthLoop, writeUtf8Loop } from "../utf8/common.js";
import { readLong, readShort, toWellFormed } from "./default.js";

export { asBuffer, guardSlab, readUtf8Lossy } from "./default.js";
export { toWellFormed };

const encoder = /* @__PURE__ */ new TextEncoder();
/** A call of TextEncoder costs 300 ns in Firefox, 450 to 600 in Chromium. A loop takes as long for 130 to 250 characters. */
const LOOP_UNITS = 128;
/**
 * Above this many bytes TextDecoder is faster for ASCII and French in Chromium. For 65 to 80 bytes of ASCII it takes 1.4 times the
 * time of a loop there, and 1.9 times in Firefox; with 64 here, a mix of real documents takes both 4 % longer.
 */
const SHORT_TEXT = 96;

/**
 * Decodes `bytes[start..end)`. Returns null when they are malformed; never throws. The caller has checked the bounds. `view` is a
 * view of the same memory as `bytes`.
 *
 * @example
 * const text = readUtf8(reader.bytes, reader.view, reader.pos, reader.pos + n);
 */
export function readUtf8(bytes: Uint8Array, _view: DataView, start: number, end: number): string | null {
  return readAscii(bytes, start, end);
}

export { readUtf8 as readUtf8Cold };

/** Works like {@link readUtf8}, without a view. In the variant for Node, null can also mean that `readUtf8` is needed. */
export function readAscii(bytes: Uint8Array, start: number, end: number): string | null {
  return end - start <= SHORT_TEXT ? readShort(bytes, start, end) : readLong(bytes, start, end);
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
  if (text.length <= LOOP_UNITS) return writeUtf8Loop(bytes, pos, text);
  const { written } = encoder.encodeInto(text, bytes.subarray(pos));
  if (written === text.length) return pos + written;
  // Older browsers: replacing lone surrogates changes nothing in well-formed text.
  const wellFormed = typeof text.isWellFormed === "function" ? text.isWellFormed() : toWellFormed(text) === text;
  return wellFormed ? pos + written : -1;
}

/**
 * Returns the number of bytes of a text in UTF-8. A lone surrogate counts 3, as U+FFFD does.
 *
 * @example
 * utf8Length("é"); // 2
 */
export function utf8Length(text: string): number {
  return utf8LengthLoop(text);
}
