/**
 * Work grows in proportion to the input. It is counted, never timed: executed blocks of the library's code
 * (harness/work.ts), and values, copied bytes and growths (`stats`). Inputs of n and 16n values are compared: the
 * exponent of the growth is below 1.2.
 */

import { isWhole } from "@moonpack/harness/effort.ts";
import { startCounting } from "@moonpack/harness/work.ts";
import type { DecoderOptions, EncoderOptions } from "moonpack";
import { describe, expect, test } from "vitest";

const blocksOf = await startCounting();
// Imported after the start, because only code compiled after it is counted.
const { Decoder, Encoder, encode } = await import("moonpack");

/**
 * Asserts that the executed blocks grow at most as size^1.2 from `size` to 16 times `size`: in a first run, which
 * learns keys and shapes, and in a second run, which knows them.
 */
async function expectLinear<T>(
  size: number,
  make: (size: number) => T,
  codec: () => (input: T) => void,
): Promise<void> {
  const count = async (input: T): Promise<[number, number]> => {
    const act = codec();
    return [await blocksOf(() => act(input)), await blocksOf(() => act(input))];
  };
  const small = await count(make(size));
  const large = await count(make(size * 16));
  for (const i of [0, 1] as const) {
    expect(small[i]).toBeGreaterThan(0);
    // Any call costs about 200 blocks. Long text, binary and typed arrays are native work, one call each.
    expect(Math.log((large[i] + 200) / (small[i] + 200)) / Math.log(16)).toBeLessThan(1.2);
  }
}

const encoding = (options?: EncoderOptions) => () => {
  const encoder = new Encoder(options);
  return (value: unknown) => void encoder.encodeShared(value);
};
const decoding = (options?: DecoderOptions) => () => {
  const decoder = new Decoder(options);
  return (bytes: Uint8Array) => void decoder.decode(bytes);
};

/** The size of small values. */
const SMALL = isWhole ? 4000 : 1000;

const shapes: [string, (n: number) => unknown][] = [
  ["numbers", (n) => Array.from({ length: n * 8 }, (_, i) => i)],
  ["fractions", (n) => Array.from({ length: n * 8 }, (_, i) => i + 0.1)],
  ["short text", (n) => Array.from({ length: n * 4 }, (_, i) => `text ${i}`)],
  ["one long ASCII text", (n) => "a".repeat(n * 40)],
  ["one long text of é", (n) => "é".repeat(n * 20)],
  ["one long text of 日", (n) => "日本語".repeat(n * 4)],
  ["one long binary", (n) => new Uint8Array(n * 40)],
  ["records", (n) => Array.from({ length: n >> 2 }, (_, i) => ({ id: i, name: `n${i}`, x: i / 3 }))],
  [
    "records whose shapes keep changing",
    (n) => Array.from({ length: n >> 3 }, (_, i) => ({ [`a${i % 61}`]: 1, [`b${i % 53}`]: 2, [`c${i % 47}`]: 3 })),
  ],
  ["one map of many keys", (n) => Object.fromEntries(Array.from({ length: n >> 2 }, (_, i) => [`key${i}`, i]))],
  ["one Map of integers", (n) => new Map(Array.from({ length: n >> 2 }, (_, i) => [i, i]))],
  ["many small arrays", (n) => Array.from({ length: n >> 1 }, (_, i) => [i, i])],
  [
    "maps of alternately 15 and 16 keys",
    (n) =>
      Array.from({ length: n >> 5 }, (_, i) =>
        Object.fromEntries(Array.from({ length: 15 + (i % 2) }, (_, k) => [`k${k}`, i])),
      ),
  ],
  [
    "chains of 500 levels",
    (n) => Array.from({ length: Math.ceil(n / 500) }, () => deep(500, (v, i) => (i % 2 === 0 ? [v] : { a: v }))),
  ],
];

function deep(levels: number, wrap: (value: unknown, level: number) => unknown): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = wrap(value, i);
  return value;
}

describe("encoding and decoding are linear", () => {
  for (const [name, make] of shapes) {
    test(name, async () => {
      await expectLinear(SMALL, make, encoding());
      await expectLinear(SMALL, (n) => encode(make(n)), decoding());
    });
  }
});

describe("stats() shows no repeated work", () => {
  test("encoding: each value counts once, copied bytes and growths are bounded", () => {
    for (const [name, make] of shapes) {
      const encoder = new Encoder();
      for (const n of [1000, 16_000]) {
        const before = encoder.stats();
        const value = make(n);
        const size = encoder.encodeShared(value).length;
        const after = encoder.stats();
        expect(after.messages - before.messages, name).toBe(1);
        expect(after.bytes - before.bytes, name).toBe(size);
        expect(after.values - before.values, name).toBeLessThanOrEqual(countValues(value) + 1);
        // Growth by doubling copies at most the size of the last buffer. A wrong guess of a map's size copies its
        // pairs once.
        expect(after.copied - before.copied, name).toBeLessThanOrEqual(Math.max(65_536, 4 * size));
        expect(after.growths - before.growths, name).toBeLessThanOrEqual(Math.ceil(Math.log2(size + 16_384)));
      }
    }
  });

  test("decoding: each value counts once", () => {
    for (const [name, make] of shapes) {
      const decoder = new Decoder();
      for (const n of [1000, 16_000]) {
        const value = make(n);
        const bytes = encode(value);
        const before = decoder.stats();
        decoder.decode(bytes);
        const after = decoder.stats();
        expect(after.bytes - before.bytes, name).toBe(bytes.length);
        expect(after.values - before.values, name).toBeGreaterThan(0);
        expect(after.values - before.values, name).toBeLessThanOrEqual(countValues(value) + 1);
      }
    }
  });

  test("a warm encoder copies nothing for small messages", () => {
    const encoder = new Encoder();
    const message = (i: number) => ({ id: i, name: `n${i}`, list: [1, 2, 3], nested: { a: 1, b: 2 } });
    for (let i = 0; i < 100; i++) encoder.encodeShared(message(i));
    const before = encoder.stats();
    for (let i = 0; i < 10_000; i++) encoder.encodeShared(message(i));
    const after = encoder.stats();
    expect(after.copied - before.copied).toBe(0);
    expect(after.growths - before.growths).toBe(0);
    expect(after.messages - before.messages).toBe(10_000);
  });

  test("nested maps of alternately 15 and 16 keys are not copied at every level", () => {
    // The encoder guesses a map's header from the last object with the same first key. If the guess were wrong at every
    // level, each level would copy all levels below it.
    const encoder = new Encoder();
    const level = (v: unknown, i: number) => ({
      k: v,
      ...Object.fromEntries(Array.from({ length: 14 + (i % 2) }, (_, k) => [`f${k}`, k])),
    });
    for (const levels of [10, 40, 160]) {
      const value = deep(levels, level);
      encoder.encodeShared(value);
      const before = encoder.stats();
      const size = encoder.encodeShared(value).length;
      expect(encoder.stats().copied - before.copied, `${levels} levels`).toBeLessThanOrEqual(4 * size);
    }
  });
});

describe("predictions that fail cost at most a constant factor", () => {
  const modes: [string, DecoderOptions][] = [
    ["generated", { codeGeneration: true }],
    ["interpreted", { codeGeneration: false }],
  ];
  for (const [mode, options] of modes) {
    test(`a different last key at every level of nesting, ${mode}`, () => {
      const decoder = new Decoder(options);
      // Training: the shape is {aaa, bbb, ccc} at every level. Then the last key differs at each of 400 levels. If a
      // failed prediction read its map again, level d would be read 2^d times.
      const trained = (v: unknown) => ({ aaa: 1, bbb: v, ccc: 2 });
      const other = (v: unknown) => ({ aaa: 1, bbb: v, xxx: 2 });
      const bytes = encode(deep(400, trained));
      for (let i = 0; i < 50; i++) decoder.decode(bytes);
      const failing = encode(deep(400, other));
      const before = decoder.stats().values;
      decoder.decode(failing);
      expect(decoder.stats().values - before).toBeLessThanOrEqual(400 * 3 + 401);
    });
  }

  test("deep and wide at once", async () => {
    const make = (n: number) =>
      deep(100, (v, i) => ({ id: i, pad: Array.from({ length: n / 100 }, (_, k) => k % 100), inner: v }));
    await expectLinear(4000, make, encoding());
    await expectLinear(4000, (n) => encode(make(n)), decoding());
  });
});

describe("encoding and decoding with other options are linear too", () => {
  const rows = (n: number) =>
    Array.from({ length: n >> 2 }, (_, i) => ({ id: i, name: `n${i}`, list: [1, 2], t: new Date(i) }));
  const readers: [string, DecoderOptions][] = [
    ["strict", { strict: true }],
    ["maps: map", { maps: "map" }],
    ["binary: view", { binary: "view" }],
    ["maxDepth 4096", { maxDepth: 4096 }],
  ];
  for (const [name, options] of readers) {
    test(`decoding, ${name}`, () => expectLinear(2000, (n) => encode(rows(n)), decoding(options)));
  }
  const writers: [string, EncoderOptions][] = [
    ["canonical", { canonical: true }],
    ["fidelity json", { fidelity: "json" }],
    ["fidelity js", { fidelity: "js" }],
  ];
  for (const [name, options] of writers) {
    test(`encoding, ${name}`, () => expectLinear(2000, rows, encoding(options)));
  }

  describe("nested container keys: the limit on their nesting bounds the compared bytes", () => {
    /** Returns a Map with `n` bytes in an array inside the maximum number of nested keys. */
    const nested = (n: number) => deep(9, (v, i) => new Map([[i === 0 ? [new Uint8Array(n)] : v, 1]]));

    test("strict: the total length of key texts, compared with the input's length", () => {
      const { add } = Set.prototype;
      let units = 0;
      Set.prototype.add = function (item: unknown) {
        if (typeof item === "string") units += item.length;
        return add.call(this, item);
      };
      try {
        for (const n of [10_000, 160_000]) {
          const bytes = encode(nested(n));
          const decoder = new Decoder({ strict: true });
          units = 0;
          decoder.decode(bytes);
          expect(units).toBeGreaterThan(n);
          expect(units).toBeLessThanOrEqual(9 * bytes.length);
        }
      } finally {
        Set.prototype.add = add;
      }
    });

    test("canonical: the total length of copied keys, compared with the output's length", () => {
      const prototype = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;
      const { slice } = prototype;
      let moved = 0;
      prototype.slice = function (this: Uint8Array<ArrayBuffer>, from?: number, to?: number) {
        const copy = slice.call(this, from, to) as Uint8Array<ArrayBuffer>;
        moved += copy.length;
        return copy;
      };
      try {
        for (const n of [10_000, 160_000]) {
          const encoder = new Encoder({ canonical: true });
          moved = 0;
          const size = encoder.encodeShared(nested(n)).length;
          expect(moved).toBeGreaterThan(n);
          expect(moved).toBeLessThanOrEqual(9 * size);
        }
      } finally {
        prototype.slice = slice;
      }
    });
  });

  test("a sequence of many messages, each decoded at its offset", async () => {
    const message = encode({ id: 1, name: "text" });
    const make = (n: number) => {
      const bytes = new Uint8Array(message.length * n);
      for (let i = 0; i < n; i++) bytes.set(message, i * message.length);
      return bytes;
    };
    await expectLinear(1000, make, () => {
      const decoder = new Decoder();
      return (bytes) => {
        let count = 0;
        for (const _ of decoder.decodeMulti(bytes)) count++;
        if (count * message.length !== bytes.length) throw new Error(`${count} messages`);
      };
    });
  });
});

/** Returns the number of values in `root`, itself included, and keys not included. */
function countValues(root: unknown): number {
  const work: unknown[] = [root];
  let count = 0;
  for (let value = work.pop(); count === 0 || value !== undefined; value = work.pop()) {
    count++;
    if (Array.isArray(value)) for (const item of value) work.push(item);
    // A pair counts as one value, also in a Map.
    else if (value instanceof Map) for (const item of value.values()) work.push(item);
    else if (typeof value === "object" && value !== null && !ArrayBuffer.isView(value))
      for (const item of Object.values(value)) work.push(item);
  }
  return count;
}
