/** UTF-8 and memory for runtimes that are only known to have TextEncoder and TextDecoder (edge workers, old engines). */
import { fewUnits, isWellFormed, utf8LengthLoop, writeUtf8Loop } from "../utf8/common.js";

export { readUtf8Lossy, toWellFormed } from "../utf8/common.js";
export { asBuffer, guardSlab } from "./plain-memory.js";

const strict = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = /* @__PURE__ */ new TextEncoder();

/** Above this size TextDecoder is faster (a call costs 150 ns on servers). */
const FEW_BYTES = 28;
// The code units of readShort: an array for each length from 0 to 96, which `apply` takes directly. (A part of a typed array takes
// two to five times as long.) Used within one call only, in which no other code runs.
const unitLists: readonly number[][] = /* @__PURE__ */ Array.from({ length: 97 }, (_, length) =>
  Array.from({ length }, () => 0),
);

/** Above this many code units TextEncoder is faster than a loop (a call costs about 100 ns). */
const LOOP_UNITS = 40;

/** Decodes `bytes[start..end)`. Returns null when they are malformed; never throws. The caller has checked the bounds. */
export function readUtf8(bytes: Uint8Array, _view: DataView, start: number, end: number): string | null {
  return readAscii(bytes, start, end);
}

export { readUtf8 as readUtf8Cold };

/** Works like {@link readUtf8}, without a view. In the variant for Node, null can also mean that `readUtf8` is needed. */
export function readAscii(bytes: Uint8Array, start: number, end: number): string | null {
  return end - start <= FEW_BYTES ? readShort(bytes, start, end) : readLong(bytes, start, end);
}

/** Works like {@link readUtf8}, with TextDecoder. */
export function readLong(bytes: Uint8Array, start: number, end: number): string | null {
  try {
    return strict.decode(bytes.subarray(start, end));
  } catch {
    return null;
  }
}

/** Works like {@link readUtf8}, for up to 96 bytes, from character codes. */
export function readShort(bytes: Uint8Array, start: number, end: number): string | null {
  const length = end - start;
  let units = unitLists[length]!;
  let n = 0;
  for (; n < length; n++) {
    const byte = bytes[start + n]!;
    if (byte >= 0x80) break;
    units[n] = byte;
  }
  if (n < length) {
    n = toUnits(units, n, bytes, start + n, end);
    if (n < 0) return null;
    if (n < 9) return fewUnits(units, n);
    // The text has fewer units than bytes.
    const fewer = unitLists[n]!;
    for (let i = 0; i < n; i++) fewer[i] = units[i]!;
    units = fewer;
  }
  return n < 9 ? fewUnits(units, n) : String.fromCharCode.apply(null, units);
}

/**
 * Decodes into `units` from index `n` on. Returns the number of units, or -1 for malformed bytes. One loop for sequences of all
 * lengths, unlike the unrolled one for Node, since every page that decodes carries it.
 */
function toUnits(units: number[], n: number, bytes: Uint8Array, pos: number, end: number): number {
  while (pos < end) {
    let code = bytes[pos++]!;
    if (code >= 0x80) {
      let more = code < 0xe0 ? 1 : code < 0xf0 ? 2 : 3;
      if (code < 0xc2 || code > 0xf4 || pos + more > end) return -1;
      // The least code point that needs this many bytes: anything below is overlong.
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

/** Writes text at `pos`. Returns the position after it, or -1 for a lone surrogate. The caller has made room for 3 bytes a unit. */
export function writeUtf8(bytes: Uint8Array, pos: number, text: string): number {
  if (text.length <= LOOP_UNITS) return writeUtf8Loop(bytes, pos, text);
  const { written } = encoder.encodeInto(text, bytes.subarray(pos));
  // TextEncoder replaces lone surrogates silently. Only text that is not ASCII can have any.
  return written === text.length || isWellFormed(text) ? pos + written : -1;
}

/** Returns the number of bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  return utf8LengthLoop(text);
}
