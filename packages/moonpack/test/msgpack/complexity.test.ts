/**
 * Work grows with the input, not faster. Counted where it can be (stats), else timed: the exponent over sizes 16 times
 * apart, best of 7, one retry, below 1.2.
 */

import { Decoder, type DecoderOptions, Encoder, type EncoderOptions, encode } from "moonpack";
import { describe, expect, test } from "vitest";

const now = () => performance.now();

/**
 * Asserts that the time of `act` grows at most as size^1.2 from `size` to 16 times that. Both are timed over the same
 * amount of work, 16 small inputs against one large, by turns: so the clock's resolution, the collector and other work
 * on the machine meet both alike.
 */
function expectLinear<T>(size: number, make: (size: number) => T, act: (input: T) => void): void {
  const small = Array.from({ length: 16 }, () => make(size));
  const large = make(size * 16);
  const timed = (inputs: readonly T[]): number => {
    const begun = now();
    for (const input of inputs) act(input);
    return now() - begun;
  };
  const exponent = (): number => {
    let a = Infinity;
    let b = Infinity;
    for (let i = 0; i < 7; i++) {
      a = Math.min(a, timed(small));
      b = Math.min(b, timed([large]));
    }
    return 1 + Math.log(b / a) / Math.log(16);
  };
  timed(small); // caches and code are warm
  timed([large]);
  const first = exponent();
  expect(first < 1.2 ? first : Math.min(first, exponent())).toBeLessThan(1.2);
}

/** Large enough that the smaller input too lies in V8's space for large objects, where each byte costs more. */
const shapes: [string, (n: number) => unknown][] = [
  ["numbers", (n) => Array.from({ length: n * 8 }, (_, i) => i)],
  ["fractions", (n) => Array.from({ length: n * 8 }, (_, i) => i + 0.1)],
  ["short text", (n) => Array.from({ length: n * 4 }, (_, i) => `text ${i}`)],
  ["one long ASCII text", (n) => "a".repeat(n * 40)],
  ["one long text of é", (n) => "é".repeat(n * 20)],
  ["one long text of 日", (n) => "日本語".repeat(n * 4)],
  ["one long binary", (n) => new Uint8Array(n * 40)],
  ["records", (n) => Array.from({ length: n >> 2 }, (_, i) => ({ id: i, name: `n${i}`, x: i / 3 }))],
  // Of 64 names: objects of ever new names are slower in V8 itself (each is a transition of the empty object).
  [
    "records of ever new shapes",
    (n) => Array.from({ length: n >> 3 }, (_, i) => ({ [`a${i % 61}`]: 1, [`b${i % 53}`]: 2, [`c${i % 47}`]: 3 })),
  ],
  ["one map of many keys", (n) => Object.fromEntries(Array.from({ length: n >> 2 }, (_, i) => [`key${i}`, i]))],
  ["one Map of integers", (n) => new Map(Array.from({ length: n >> 2 }, (_, i) => [i, i]))],
  ["many small arrays", (n) => Array.from({ length: n >> 1 }, (_, i) => [i, i])],
  [
    "maps of 15 and 16 keys by turns",
    (n) =>
      Array.from({ length: n >> 5 }, (_, i) =>
        Object.fromEntries(Array.from({ length: 15 + (i % 2) }, (_, k) => [`k${k}`, i])),
      ),
  ],
  [
    "chains 500 deep",
    (n) => Array.from({ length: Math.ceil(n / 500) }, () => deep(500, (v, i) => (i % 2 === 0 ? [v] : { a: v }))),
  ],
];

function deep(levels: number, wrap: (value: unknown, level: number) => unknown): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = wrap(value, i);
  return value;
}

describe("encoding and decoding are linear in time", () => {
  for (const [name, make] of shapes) {
    test(name, () => {
      const encoder = new Encoder();
      const decoder = new Decoder();
      // Small enough to be quick, large enough for milliseconds at the upper end.
      expectLinear(4000, make, (value) => void encoder.encodeShared(value));
      expectLinear(
        4000,
        (n) => encode(make(n)),
        (bytes) => void decoder.decode(bytes),
      );
    });
  }
});

describe("work that can be counted", () => {
  test("encoding: values counted once each, bytes moved below twice the buffer", () => {
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
        // Growth by doubling moves at most as much as the last buffer; a wrong guess of a map's size moves its pairs once.
        expect(after.copied - before.copied, name).toBeLessThanOrEqual(Math.max(65_536, 4 * size));
        expect(after.growths - before.growths, name).toBeLessThanOrEqual(Math.ceil(Math.log2(size + 16_384)));
      }
    }
  });

  test("decoding: values counted once each", () => {
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

  test("small messages move nothing once the encoder is warm", () => {
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

  test("nested maps of 15 and 16 keys by turns are not moved at every level", () => {
    // Each level's header is guessed from the last object of that first key; a guess that is wrong at every level would
    // move everything below it every time.
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
      // Train: the shape at every level is {aaa, bbb, ccc}. Then the last key differs at each of 400 levels: if a failed
      // prediction read its map again, level d would be read 2^d times.
      const trained = (v: unknown) => ({ aaa: 1, bbb: v, ccc: 2 });
      const other = (v: unknown) => ({ aaa: 1, bbb: v, xxx: 2 });
      const bytes = encode(deep(400, trained));
      for (let i = 0; i < 50; i++) decoder.decode(bytes);
      const failing = encode(deep(400, other));
      const before = decoder.stats().values;
      const begun = now();
      decoder.decode(failing);
      expect(now() - begun).toBeLessThan(1000); // an exponential one would not end
      expect(decoder.stats().values - before).toBeLessThanOrEqual(400 * 3 + 401);
    });
  }

  test("deep and wide at once", () => {
    const encoder = new Encoder();
    const decoder = new Decoder();
    const make = (n: number) =>
      deep(100, (v, i) => ({ id: i, pad: Array.from({ length: n / 100 }, (_, k) => k), inner: v }));
    expectLinear(5000, make, (value) => void encoder.encodeShared(value));
    expectLinear(
      5000,
      (n) => encode(make(n)),
      (bytes) => void decoder.decode(bytes),
    );
  });
});

describe("the other ways are linear too", () => {
  const rows = (n: number) =>
    Array.from({ length: n >> 2 }, (_, i) => ({ id: i, name: `n${i}`, list: [1, 2], t: new Date(i) }));
  const decoding: [string, DecoderOptions][] = [
    ["strict", { strict: true }],
    ["maps: map", { maps: "map" }],
    ["binary: view", { binary: "view" }],
    ["maxDepth 4096", { maxDepth: 4096 }],
  ];
  for (const [name, options] of decoding) {
    test(`decoding, ${name}`, () => {
      const decoder = new Decoder(options);
      expectLinear(
        2000,
        (n) => encode(rows(n)),
        (bytes) => void decoder.decode(bytes),
      );
    });
  }
  const encoding: [string, EncoderOptions][] = [
    ["canonical", { canonical: true }],
    ["fidelity json", { fidelity: "json" }],
    ["fidelity js", { fidelity: "js" }],
  ];
  for (const [name, options] of encoding) {
    test(`encoding, ${name}`, () => {
      const encoder = new Encoder(options);
      expectLinear(2000, rows, (value) => void encoder.encodeShared(value));
    });
  }

  test("a sequence of many messages, each decoded at its offset", () => {
    const decoder = new Decoder();
    const message = encode({ id: 1, name: "text" });
    const make = (n: number) => {
      const bytes = new Uint8Array(message.length * n);
      for (let i = 0; i < n; i++) bytes.set(message, i * message.length);
      return bytes;
    };
    expectLinear(1000, make, (bytes) => {
      let count = 0;
      for (const _ of decoder.decodeMulti(bytes)) count++;
      if (count * message.length !== bytes.length) throw new Error(`${count} messages`);
    });
  });
});

function countValues(root: unknown): number {
  const work: unknown[] = [root];
  let count = 0;
  for (let value = work.pop(); count === 0 || value !== undefined; value = work.pop()) {
    count++;
    if (Array.isArray(value)) for (const item of value) work.push(item);
    // A pair counts for its value, a Map's too.
    else if (value instanceof Map) for (const item of value.values()) work.push(item);
    else if (typeof value === "object" && value !== null && !ArrayBuffer.isView(value))
      for (const item of Object.values(value)) work.push(item);
  }
  return count;
}
