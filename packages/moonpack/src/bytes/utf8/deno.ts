/**
 * UTF-8 in Deno: reads short text and all ASCII as in Node, since TextDecoder takes 400 ns at least; longer text by TextDecoder,
 * which is several times quicker there than what Node has. Writes as in browsers: Deno's utf8Write takes up to five times as
 * long as TextEncoder. Measured on Deno 2.9 (docs/benchmarks/utf8.md).
 */
import { Buffer, isAscii } from "node:buffer";
import { readUtf8 as readByDecoder } from "./default.js";
import { readUtf8 as readShort } from "./node.js";

export { readUtf8Lossy, toWellFormed, utf8Length, writeUtf8 } from "./browser.js";
export { readAscii } from "./node.js";

const { latin1Slice } = Buffer.prototype as unknown as {
  latin1Slice(this: Uint8Array, start: number, end: number): string;
};

/** Up to here text that is not ASCII is quicker by a loop than by TextDecoder. */
const LOOP_BYTES = 144;
/** The same where every character takes three bytes, which the loop reads four at a time. */
const DENSE_LOOP_BYTES = 1024;

/** As `readUtf8` of Node's variant. */
export function readUtf8(bytes: Uint8Array, view: DataView, start: number, end: number): string | null {
  const n = end - start;
  const first = bytes[start]!;
  if (n <= LOOP_BYTES || (n <= DENSE_LOOP_BYTES && first >> 4 === 0xe)) return readShort(bytes, view, start, end);
  if (first < 0x80 && isAscii(bytes.subarray(start, end))) return latin1Slice.call(bytes, start, end);
  return readByDecoder(bytes, view, start, end);
}
