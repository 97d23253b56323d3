/** UTF-8 for runtimes of which nothing is known but TextEncoder and TextDecoder (edge workers, old engines). */
import { fewUnits, isWellFormed, utf8LengthLoop, writeUtf8Loop } from "./common.js";

export { readUtf8Lossy, toWellFormed } from "./common.js";

const strict = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = /* @__PURE__ */ new TextEncoder();

/** The most bytes that {@link readShort} takes. */
const MOST_SHORT = 64;
/** Above so many, TextDecoder is quicker (a call costs 150 ns on servers). */
const FEW_BYTES = 28;
// Scratch of one call of readShort: no code of anyone else runs between its filling and its reading. A list for each length: `apply`
// takes it as it is; a part of a typed array, which has to be made and then read item by item, takes two to five times as long.
const unitLists: readonly number[][] = /* @__PURE__ */ Array.from({ length: MOST_SHORT + 1 }, (_, length) =>
  Array.from({ length }, () => 0),
);

/** Above this many code units TextEncoder is quicker than a loop (a call costs about 100 ns). */
const LOOP_UNITS = 40;

/** Decodes `bytes[start..end)`; null when they are not well-formed. Never throws; the caller has checked the bounds. */
export function readUtf8(bytes: Uint8Array, _view: DataView, start: number, end: number): string | null {
  return readAscii(bytes, start, end);
}

/** The same without a view, which is not needed here; null may also mean that the text has to be read by `readUtf8`. */
export function readAscii(bytes: Uint8Array, start: number, end: number): string | null {
  return end - start <= FEW_BYTES ? readShort(bytes, start, end) : readLong(bytes, start, end);
}

/** The same by TextDecoder. */
export function readLong(bytes: Uint8Array, start: number, end: number): string | null {
  try {
    return strict.decode(bytes.subarray(start, end));
  } catch {
    return null;
  }
}

/** The same for 64 bytes at most, by character codes. */
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
    // Fewer units than bytes.
    const fewer = unitLists[n]!;
    for (let i = 0; i < n; i++) fewer[i] = units[i]!;
    units = fewer;
  }
  return n < 9 ? fewUnits(units, n) : String.fromCharCode.apply(null, units);
}

/**
 * Decodes into `units` from `n` on; answers how many there are, or -1 for malformed bytes. One loop for sequences of every
 * length, where Node's is unrolled: every page that decodes carries this one.
 */
function toUnits(units: number[], n: number, bytes: Uint8Array, pos: number, end: number): number {
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
