/**
 * UTF-8 in Bun, measured on Bun 1.4; Buffers as in Node. Slabs are not used there (slab.ts), so they need no guard.
 *
 * Reads ASCII of up to 144 bytes with latin1Slice, which takes 35 to 55 ns there (4 character codes take as long, 24 twice as
 * long), and all other text with TextDecoder, which is faster there than Node's methods. Writes text of any length with
 * utf8Write, except short text.
 */
import { Buffer } from "node:buffer";
import { writeUtf8Loop } from "../utf8/common.js";
import { readUtf8 as readByDecoder } from "./default.js";

export { guardSlab, readUtf8Lossy, toWellFormed } from "./default.js";
export { asBuffer, utf8Length } from "./node.js";

interface NativeSlices {
  latin1Slice(this: Uint8Array, start: number, end: number): string;
  utf8Write(this: Uint8Array, text: string, offset: number, length: number): number;
}
const { latin1Slice, utf8Write } = Buffer.prototype as unknown as NativeSlices;

/** Up to this size an ASCII test by words and latin1Slice are faster than TextDecoder. */
const WORD_TEST_BYTES = 144;
/** Below this many code units a loop is faster than utf8Write. */
const LOOP_UNITS = 20;

/** Works like `readUtf8` in node.ts. */
export function readUtf8(bytes: Uint8Array, view: DataView, start: number, end: number): string | null {
  const n = end - start;
  if (n < 4) return readAscii(bytes, start, end) ?? readByDecoder(bytes, view, start, end);
  if (n > WORD_TEST_BYTES) return readByDecoder(bytes, view, start, end);
  let or = view.getInt32(end - 4, true);
  for (let i = start; i < end - 4; i += 4) or |= view.getInt32(i, true);
  return (or & 0x80808080) === 0 ? latin1Slice.call(bytes, start, end) : readByDecoder(bytes, view, start, end);
}

export { readUtf8 as readUtf8Cold };

/** Works like `readAscii` in node.ts. */
export function readAscii(bytes: Uint8Array, start: number, end: number): string | null {
  if (end - start > WORD_TEST_BYTES) return null;
  let or = 0;
  for (let i = start; i < end; i++) or |= bytes[i]!;
  return or < 0x80 ? latin1Slice.call(bytes, start, end) : null;
}

/** Works like `writeUtf8` in node.ts. */
export function writeUtf8(bytes: Uint8Array, pos: number, text: string): number {
  const n = text.length;
  if (n < LOOP_UNITS) return writeUtf8Loop(bytes, pos, text);
  const written = utf8Write.call(bytes, text, pos, bytes.length - pos);
  // utf8Write replaces lone surrogates silently. Only text that is not ASCII can have any.
  return written === n || text.isWellFormed() ? pos + written : -1;
}
