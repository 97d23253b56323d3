/**
 * Streams are linear however small their parts are: counted, never timed. Blocks of our own code that run
 * (harness/work.ts) for one message of 16 times the size, and for the same message in smaller parts.
 */
import type { DecoderOptions } from "moonpack";
import { describe, expect, test } from "vitest";
import { startCounting } from "../harness/work.ts";

const blocksOf = await startCounting(true);
// Imported only now: counted is what was compiled after the start.
const { Decoder, encode } = await import("moonpack");
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

/** Items of a value as they lie in a message: itself, keys, elements and values. */
function countItems(value: unknown): number {
  if (ArrayBuffer.isView(value) || typeof value !== "object" || value === null) return 1;
  const inner = Array.isArray(value) ? value : [...(value instanceof Map ? value : Object.entries(value))].flat();
  return inner.reduce<number>((sum, item) => sum + countItems(item), 1);
}

/** Blocks that a part costs by itself, 36 to 39: `push`, the iterator, turning the reader to it, keeping an item that is cut. */
const OF_PART = 42;
/**
 * Blocks that an item costs which is read with a stack on the heap, as all are near the end of a part: its size is looked
 * up, it is read, and it is put where it belongs. 27 for a number, up to 46 for a short key.
 */
const OF_ITEM = 50;

describe.each(shapes)("%s", (_, make) => {
  const small = encode(make(500));
  const large = encode(make(8000));
  const items = countItems(make(8000));

  test.each([1, 16, 1000])("parts of %d bytes: 16 times the message, 16 times the work", async (size) => {
    const exponent =
      Math.log((await work(large, size)) / ((await work(small, size)) + 200)) / Math.log(large.length / small.length);
    expect(exponent).toBeLessThan(1.2);
  });

  test("smaller parts cost as much a part, and nothing is read twice", async () => {
    const whole = await work(large, large.length);
    for (const size of [1, 16, 256]) {
      const parts = Math.ceil(large.length / size);
      expect(await work(large, size)).toBeLessThan(whole + OF_PART * parts + OF_ITEM * items);
    }
  });
});

describe("whole messages, one a part: what a part costs is the same whatever the message is", () => {
  const messages: [string, unknown][] = [
    ["nil", null],
    ["a list", Array.from({ length: 50 }, (_, i) => i)],
    ["pairs", Array.from({ length: 15 }, (_, i) => [i, i])],
    ["a record", { id: 1, name: "x", at: { x: 1, y: 2 }, list: [1, { a: 2 }] }],
    ["a Map", new Map([...new Array(15).keys()].map((i) => [i, i]))],
    ["deep", deep(20)],
    ["text", "x".repeat(50)],
    ["numbers", [1e5, 1e10, -1000, 0.5, 1.1]],
    // Read in place, as every part above 2 KB.
    ["a list of 3 KB", Array.from({ length: 3000 }, (_, i) => i % 100)],
  ];
  const modes: DecoderOptions[] = [{}, { codeGeneration: false }, { binary: "view" }];

  test.each(modes)("%j", async (options) => {
    const whole = new Decoder(options);
    const decoder = new StreamDecoder(options);
    const inWhole = (bytes: Uint8Array) => void whole.decode(bytes);
    const inParts = (bytes: Uint8Array) => {
      let count = 0;
      for (const _ of decoder.push(bytes)) count++;
      if (count !== 1) throw new Error(`${count} messages`);
    };
    const often = (act: (bytes: Uint8Array) => void, bytes: Uint8Array) => () => {
      for (let i = 0; i < 100; i++) act(bytes);
    };
    for (const [name, message] of messages) {
      const bytes = encode(message);
      if (bytes.length < 2048) expect(bytes.length, name).toBeLessThan(64);
      const [one, other] = [often(inWhole, bytes), often(inParts, bytes)];
      one(); // keys and shapes are known then
      other();
      const more = ((await blocksOf(other)) - (await blocksOf(one))) / 100;
      // By the way for messages that are cut, each item would cost as much again.
      expect(more, name).toBeLessThan(OF_PART + 5);
    }
  });
});
