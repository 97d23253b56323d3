/** Splitting is linear in the bytes, wherever the chunks end. Counted, not timed. */

import { startCounting } from "@moonpack/harness/work.ts";
import { expect, test } from "vitest";

const blocksOf = await startCounting();
// Imported here, since only code that is compiled after the start is counted.
const { encodeFrame, FrameSplitter } = await import("moonpack/bytes");

function bytesOf(n: number, payload: number): Uint8Array {
  const frame = encodeFrame(new Uint8Array(payload));
  const bytes = new Uint8Array(Math.floor(n / frame.length) * frame.length);
  for (let at = 0; at < bytes.length; at += frame.length) bytes.set(frame, at);
  return bytes;
}

test.each([
  ["small frames, byte by byte", 3, 1, 2000],
  ["empty frames in small parts", 0, 7, 2000],
  ["one frame each part", 10, 11, 20_000],
  ["small frames in large parts", 10, 5000, 20_000],
  ["large frames byte by byte", 20_000, 1, 20_003],
] as const)("%s", async (_, payload, part, size) => {
  const count = (n: number, isAhead: boolean): Promise<number> => {
    const bytes = bytesOf(n, payload);
    return blocksOf(() => {
      const splitter = new FrameSplitter();
      for (let at = 0; at < bytes.length; at += part) {
        splitter.push(bytes.subarray(at, at + part));
        if (!isAhead) while (splitter.next() !== null);
      }
      while (splitter.next() !== null);
      splitter.end();
    });
  };
  for (const isAhead of [false, true]) {
    const small = await count(size, isAhead);
    const large = await count(size * 16, isAhead);
    expect(small).toBeGreaterThan(0);
    expect(Math.log((large + 200) / (small + 200)) / Math.log(16)).toBeLessThan(1.2);
  }
});
