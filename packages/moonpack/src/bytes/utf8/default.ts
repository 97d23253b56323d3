/** UTF-8 for runtimes of which nothing is known but TextEncoder and TextDecoder (edge workers, Deno, old engines). */
import { fewUnits, readShortAscii, SHORT_STRING, utf8LengthLoop, utf8ToUnits, writeUtf8Loop, isWellFormed } from "./common.js";

export { readUtf8Lossy, toWellFormed } from "./common.js";

const strict = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = /* @__PURE__ */ new TextEncoder();
// Scratch of one call of readShort: no code of anyone else runs between its filling and its reading.
const units = /* @__PURE__ */ new Uint16Array(SHORT_STRING);

/** Above this many code units TextEncoder is quicker than a loop (a call costs about 100 ns). */
const LOOP_UNITS = 40;

/** Decodes `bytes[start..end)`; null when they are not well-formed. Never throws; the caller has checked the bounds. */
export function readUtf8(bytes: Uint8Array, _view: DataView, start: number, end: number): string | null {
  const n = end - start;
  if (n <= SHORT_STRING) return readShortAscii(bytes, start, n) ?? readShort(bytes, start, end);
  try {
    return strict.decode(bytes.subarray(start, end));
  } catch {
    return null;
  }
}

function readShort(bytes: Uint8Array, start: number, end: number): string | null {
  const n = utf8ToUnits(units, bytes, start, end);
  if (n < 0) return null;
  return n <= 8 ? fewUnits(units, n) : String.fromCharCode.apply(null, units.subarray(0, n) as unknown as number[]);
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
