/**
 * UTF-8 in Deno, measured on Deno 2.9; memory as in Node.
 *
 * - Reads text of up to 144 bytes, and CJK text of up to 1,024, with the loops of node.ts: TextDecoder takes 400 ns at least.
 * - Reads longer ASCII with latin1Slice, and other long text with TextDecoder (default.ts), which is several times as fast there
 *   as Node's methods.
 * - Writes with the functions of browser.ts: Deno's utf8Write takes up to five times as long as TextEncoder.
 */
import { Buffer, isAscii } from "node:buffer";
import { readUtf8 as readByDecoder } from "./default.js";
import { readUtf8 as readShort } from "./node.js";

export { readUtf8Lossy, toWellFormed, utf8Length, writeUtf8 } from "./browser.js";
export { asBuffer, guardSlab, readAscii } from "./node.js";

const { latin1Slice } = Buffer.prototype as unknown as {
  latin1Slice(this: Uint8Array, start: number, end: number): string;
};

/** Up to this size a loop is faster than TextDecoder for text that is not ASCII. */
const LOOP_BYTES = 144;
/** The same for text of three-byte characters, which the loop reads four at a time. */
const DENSE_LOOP_BYTES = 1024;

/** Works like `readUtf8` in node.ts. */
export function readUtf8(bytes: Uint8Array, view: DataView, start: number, end: number): string | null {
  const n = end - start;
  const first = bytes[start]!;
  if (n <= LOOP_BYTES || (n <= DENSE_LOOP_BYTES && first >> 4 === 0xe)) return readShort(bytes, view, start, end);
  if (first < 0x80 && isAscii(bytes.subarray(start, end))) return latin1Slice.call(bytes, start, end);
  return readByDecoder(bytes, view, start, end);
}

export { readUtf8 as readUtf8Cold };
