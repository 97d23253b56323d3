/**
 * Work is linear in the stream however small the parts are. It is counted, not timed: executed blocks of this package
 * (harness/work.ts), for a message of 16 times the size and for the same message in smaller parts.
 */

import { isWhole } from "@moonpack/harness/effort.ts";
import { startCounting } from "@moonpack/harness/work.ts";
import type { DecoderOptions } from "moonpack";
import { describe, expect, test } from "vitest";

const blocksOf = await startCounting();
// Imported only now: counted is what was compiled after the start.
const { Decoder, encode } = await import("moonpack");
const { StreamDecoder } = await import("moonpack/stream");

/** The size of small messages. */
const SMALL = isWhole ? 500 : 200;

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

/** Number of items of a value in a message: the value, keys, elements and property values. */
function countItems(value: unknown): number {
  if (ArrayBuffer.isView(value) || typeof value !== "object" || value === null) return 1;
  const inner = Array.isArray(value) ? value : [...(value instanceof Map ? value : Object.entries(value))].flat();
  return inner.reduce<number>((sum, item) => sum + countItems(item), 1);
}

/** Blocks for a part alone, 36 to 39: `push`, the iterator, setting the reader, keeping a cut item. */
const OF_PART = 42;
/**
 * Blocks for an item that is read with a stack on the heap, as all items near the end of a part are: its size is computed, it
 * is read and added to its container. 27 for a number, up to 46 for a short key.
 */
const OF_ITEM = 50;

describe.each(shapes)("%s", (_, make) => {
  const small = encode(make(SMALL));
  const large = encode(make(16 * SMALL));
  const items = countItems(make(16 * SMALL));

  test.each([1, 16, 1000])("parts of %d bytes: 16 times the message takes 16 times the work", async (size) => {
    const exponent =
      Math.log((await work(large, size)) / ((await work(small, size)) + 200)) / Math.log(large.length / small.length);
    expect(exponent).toBeLessThan(1.2);
  });

  test("each part costs the same, and no byte is read twice", async () => {
    const whole = await work(large, large.length);
    for (const size of [1, 16, 256]) {
      const parts = Math.ceil(large.length / size);
      expect(await work(large, size)).toBeLessThan(whole + OF_PART * parts + OF_ITEM * items);
    }
  });
});

describe("one whole message in each part: each part costs the same, whatever the message is", () => {
  const messages: [string, unknown][] = [
    ["nil", null],
    ["a list", Array.from({ length: 50 }, (_, i) => i)],
    ["pairs", Array.from({ length: 15 }, (_, i) => [i, i])],
    ["a record", { id: 1, name: "x", at: { x: 1, y: 2 }, list: [1, { a: 2 }] }],
    ["a Map", new Map([...new Array(15).keys()].map((i) => [i, i]))],
    ["deep", deep(20)],
    ["text", "x".repeat(50)],
    ["numbers", [1e5, 1e10, -1000, 0.5, 1.1]],
    // Parts above 2 KB are read in place.
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
      // The path for cut messages would cost as much again for each item.
      expect(more, name).toBeLessThan(OF_PART + 5);
    }
  });
});

describe("parts that are pushed before the first is read: each costs the same, however many wait", () => {
  const text = encode("x".repeat(1000));
  const parts: [string, (n: number) => Uint8Array[]][] = [
    ["a message a part", (n) => new Array<Uint8Array>(n).fill(encode([1, 2]))],
    ["a message byte by byte", (n) => Array.from({ length: n }, (_, i) => text.subarray(i % 1003, (i % 1003) + 1))],
    ["large parts", (n) => new Array<Uint8Array>(n).fill(encode(new Uint8Array(2500)))],
    [
      "nothing between messages",
      (n) => Array.from({ length: n }, (_, i) => (i % 2 === 0 ? encode(i % 9) : new Uint8Array(0))),
    ],
  ];

  test.each(parts)("%s", async (_, make) => {
    const count = (n: number): Promise<number> => {
      const all = make(n);
      return blocksOf(() => {
        const decoder = new StreamDecoder({});
        for (const part of all) {
          decoder.push(part);
          if (decoder.left === 0) throw new Error("nothing waits");
        }
        for (const _ of decoder);
      });
    };
    const [small, large] = [await count(500), await count(8000)];
    expect(Math.log(large / small) / Math.log(16)).toBeLessThan(1.1);
  });
});
