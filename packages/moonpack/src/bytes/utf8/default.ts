/** UTF-8 for runtimes of which nothing is known but TextEncoder and TextDecoder (edge workers, Deno, old engines). */
import { fewUnits, isWellFormed, SHORT_STRING, utf8LengthLoop, writeUtf8Loop } from "./common.js";

export { readUtf8Lossy, toWellFormed } from "./common.js";

const strict = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = /* @__PURE__ */ new TextEncoder();
// Scratch of one call of readShort: no code of anyone else runs between its filling and its reading.
const units = /* @__PURE__ */ new Uint16Array(SHORT_STRING);

const NO_VIEW = /* @__PURE__ */ new DataView(/* @__PURE__ */ new ArrayBuffer(0));

/** Above this many code units TextEncoder is quicker than a loop (a call costs about 100 ns). */
const LOOP_UNITS = 40;

/** Decodes `bytes[start..end)`; null when they are not well-formed. Never throws; the caller has checked the bounds. */
export function readUtf8(bytes: Uint8Array, _view: DataView, start: number, end: number): string | null {
  if (end - start <= SHORT_STRING) {
    const n = toUnits(bytes, start, end);
    if (n < 9) return n < 0 ? null : fewUnits(units, n);
    // Typed arrays are array-likes to `apply`, whatever its type says.
    return String.fromCharCode.apply(null, units.subarray(0, n) as unknown as number[]);
  }
  try {
    return strict.decode(bytes.subarray(start, end));
  } catch {
    return null;
  }
}

/** The same without a view, which is not needed here; null may also mean that the text has to be read by `readUtf8`. */
export function readAscii(bytes: Uint8Array, start: number, end: number): string | null {
  return readUtf8(bytes, NO_VIEW, start, end);
}

/**
 * Decodes into `units`; answers how many, or -1 for malformed bytes. One loop for sequences of every length, where Node's
 * is unrolled: every page that decodes carries this one.
 */
function toUnits(bytes: Uint8Array, pos: number, end: number): number {
  let n = 0;
  while (pos < end) {
    let code = bytes[pos++]!;
    if (code >= 0x80) {
      let more = code < 0xe0 ? 1 : code < 0xf0 ? 2 : 3;
      if (code < 0xc2 || code > 0xf4 || pos + more > end) return -1;
      // The least code point that takes this many bytes: what is below is overlong.
      const least = more === 1 ? 0x80 : more === 2 ? 0x800 : 0x10000;
      for (code &= 0x3f >> more; more > 0; more--) {
        const bits = bytes[pos++]! ^ 0x80;
        if (bits > 0x3f) return -1;
        code = (code << 6) | bits;
      }
      if (code < least || code > 0x10ffff || code >> 11 === 0x1b) return -1;
      if (code > 0xffff) {
        units[n++] = 0xd7c0 + (code >> 10);
        code = 0xdc00 | (code & 0x3ff);
      }
    }
    units[n++] = code;
  }
  return n;
}

/** Writes text at `pos`; answers the end, or -1 when it has a lone surrogate. The caller has made room for 3 bytes a unit. */
export function writeUtf8(bytes: Uint8Array, pos: number, text: string): number {
  if (text.length <= LOOP_UNITS) return writeUtf8Loop(bytes, pos, text);
  const { written } = encoder.encodeInto(text, bytes.subarray(pos));
  // Only a string that is not ASCII can be ill-formed; TextEncoder would replace silently.
  return written === text.length || isWellFormed(text) ? pos + written : -1;
}

/** Bytes of the text in UTF-8. */
export function utf8Length(text: string): number {
  return utf8LengthLoop(text);
}
