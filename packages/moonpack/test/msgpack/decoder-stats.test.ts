/** `stats()` counts objects by the way they were read. The sum of the counts is the number of maps in the input. */

import { canGenerate } from "@moonpack/harness/generate.ts";
import { fromHex } from "@moonpack/harness/hex.ts";
import { Decoder, type DecoderOptions, type DecoderStats, encode } from "moonpack";
import { codeGeneration, complete } from "moonpack/msgpack/features";
import { StreamDecoder } from "moonpack/stream";
import { describe, expect, test } from "vitest";

/** Returns the number of objects and Maps in a value, itself included. */
function mapsIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + mapsIn(item), 0);
  if (value instanceof Map) return [...value].reduce((sum, [key, item]) => sum + mapsIn(key) + mapsIn(item), 1);
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, item) => sum + mapsIn(item), 1);
}

/** Returns the sum of all counts of objects and Maps. */
function objectsOf({ shapeHits, plain, dictionaries, maps }: DecoderStats): number {
  return shapeHits + plain + dictionaries + maps;
}

const record = (i: number) => ({ id: i, name: `n${i}`, at: { x: i / 3, y: i }, tags: [] });
const keys = (n: number, name: string) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`${name}${i}`, i]));
const chain = (levels: number): unknown => (levels === 0 ? {} : { a: chain(levels - 1) });

/** Messages with every kind of map, repeated until generated readers are used. */
const messages: readonly unknown[] = [
  {},
  { a: {}, b: [{}, { c: 1 }] },
  new Map<unknown, unknown>([
    [1, { a: 1 }],
    [new Map([["k", 1]]), 2],
  ]),
  keys(30, "k"),
  keys(600, "k"),
  new Map<unknown, unknown>([...Object.entries(keys(600, "m")), [1, { a: 2 }]]),
  { toString: 1, constructor: { a: 1 } },
  chain(400),
  ...Array.from({ length: 500 }, (_, i) => [record(i), record(i)]),
  // Starts like the frequent shape, then differs.
  ...Array.from({ length: 50 }, (_, i) => ({ id: i, name: "x", at: { x: 1, z: 2 }, tags: 1 })),
];
const wire = messages.map((value) => encode(value));
const total = messages.reduce((sum: number, value) => sum + mapsIn(value), 0);

const ways: [string, DecoderOptions][] = [
  ["the default", {}],
  ["no code generation", { codeGeneration: false }],
  ["strict", { strict: true, engine: complete }],
  ["every map a Map", { maps: "map" }],
];

describe("the counts add up", () => {
  for (const [name, options] of ways) {
    test(name, () => {
      const decoder = new Decoder(options);
      for (const bytes of wire) decoder.decode(bytes);
      expect(objectsOf(decoder.stats())).toBe(total);
    });

    test.each([[1], [7], [50], [5000]])(`${name}, in parts of %d bytes`, (size) => {
      const decoder = new StreamDecoder(options);
      let read = 0;
      for (const bytes of wire) {
        for (let i = 0; i < bytes.length; i += size) read += [...decoder.push(bytes.subarray(i, i + size))].length;
      }
      expect(read).toBe(wire.length);
      expect(objectsOf(decoder.stats())).toBe(total);
    });
  }
});

describe("each way of reading has its own count", () => {
  const counted = (value: unknown, times: number, options: DecoderOptions = { codeGeneration: false }) => {
    const decoder = new Decoder(options);
    const bytes = encode(value);
    for (let i = 0; i < times; i++) decoder.decode(bytes);
    const { shapeHits, plain, dictionaries, maps } = decoder.stats();
    return { shapeHits, plain, dictionaries, maps };
  };
  const none = { shapeHits: 0, plain: 0, dictionaries: 0, maps: 0 };

  test("Maps, dictionaries, empty objects", () => {
    expect(counted(new Map([[1, 2]]), 3)).toEqual({ ...none, maps: 3 });
    expect(counted({ a: 1 }, 3, { maps: "map" })).toEqual({ ...none, maps: 3 });
    expect(counted(keys(600, "k"), 3)).toEqual({ ...none, dictionaries: 3 });
    expect(counted({}, 3)).toEqual({ ...none, plain: 3 });
    expect(counted({ a: 1 }, 3, { strict: true, engine: complete })).toEqual({ ...none, plain: 3 });
  });

  test("shapes: read key by key at first, then by generated readers", () => {
    expect(counted({ id: 1, name: "x" }, 1000)).toEqual({ ...none, plain: 1000 });
    const generated = counted({ id: 1, name: "x" }, 1000, { codeGeneration });
    if (canGenerate()) expect(generated.shapeHits).toBeGreaterThan(700);
    expect(objectsOf(generated as DecoderStats)).toBe(1000);
  });

  test("incomplete objects are not counted", () => {
    const decoder = new Decoder();
    const bytes = encode({ id: 1, name: { a: 1 } });
    for (let i = 0; i < 500; i++) decoder.decode(bytes);
    const before = objectsOf(decoder.stats());
    for (let end = 0; end < bytes.length - 2; end++) {
      expect(() => decoder.decode(bytes.subarray(0, end))).toThrow();
    }
    expect(objectsOf(decoder.stats())).toBe(before);
    expect(() => decoder.decode(fromHex("9281a16101c1"))).toThrow(); // one object is complete
    expect(objectsOf(decoder.stats())).toBe(before + 1);
  });
});
