/**
 * Streams are linear however small their parts are: counted, never timed. Blocks of our own code that run
 * (harness/work.ts) for one message of 16 times the size, and for the same message in smaller parts.
 */
import { describe, expect, test } from "vitest";
import { startCounting } from "../harness/work.ts";

const blocksOf = await startCounting();
// Imported only now: counted is what was compiled after the start.
const { encode } = await import("moonpack");
const { StreamDecoder } = await import("moonpack/stream");

const shapes: [string, (n: number) => unknown][] = [
  [
    "records",
    (n) =>
      Array.from({ length: n >> 2 }, (_, i) => ({ id: i % 100, name: `n${i % 100}`, at: { x: 0.5, list: [1, [2]] } })),
  ],
  [
    "one map of many keys",
    (n) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`key${String(i).padStart(6, "0")}`, 1])),
  ],
  ["one Map of integers", (n) => new Map(Array.from({ length: n }, (_, i) => [200 + (i % 50) + i * 256, 1]))],
  ["numbers", (n) => Array.from({ length: n * 4 }, (_, i) => 70_000 + i)],
  ["one long text", (n) => "é".repeat(n * 10)],
  ["one long binary", (n) => new Uint8Array(n * 20)],
  ["chains 200 deep", (n) => Array.from({ length: n / 200 }, () => deep(200))],
];

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

async function work(bytes: Uint8Array, size: number): Promise<number> {
  const decoder = new StreamDecoder({});
  let count = 0;
  const blocks = await blocksOf(() => {
    for (let i = 0; i < bytes.length; i += size) for (const _ of decoder.push(bytes.subarray(i, i + size))) count++;
  });
  decoder.end();
  expect(count).toBe(1);
  return blocks;
}

describe.each(shapes)("%s", (_, make) => {
  const small = encode(make(1000));
  const large = encode(make(16_000));

  test.each([1, 16, 1000])("parts of %d bytes: 16 times the message, 16 times the work", async (size) => {
    const exponent =
      Math.log((await work(large, size)) / ((await work(small, size)) + 200)) / Math.log(large.length / small.length);
    expect(exponent).toBeLessThan(1.2);
  });

  test("smaller parts cost as much a part, and nothing is read twice", async () => {
    const whole = await work(large, large.length);
    for (const size of [1, 16, 256])
      expect(await work(large, size)).toBeLessThan(whole + 220 * Math.ceil(large.length / size) + 60 * 16_000);
  });
});
