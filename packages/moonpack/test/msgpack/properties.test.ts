import fc from "fast-check";
import {
  Decoder,
  type DecoderOptions,
  decode,
  decodeAt,
  decodeMulti,
  diagnose,
  Encoder,
  encode,
  encodeInto,
  encodeOwned,
  encodeShared,
  MoonpackError,
} from "moonpack";
import { describe, expect, test } from "vitest";
import { anyObject, anyValue, objectOf } from "../harness/arbitrary.ts";
import { caughtOurs } from "../harness/caught.ts";
import { none } from "../harness/each.ts";
import { bytesDiffer, concat } from "../harness/hex.ts";
import { randomSource } from "../harness/random.ts";
import { differ } from "../harness/same.ts";
import { rejected, vectors } from "../harness/vectors.ts";

const keep: DecoderOptions = { unknownExtensions: "keep" };

describe("round trips", () => {
  test("any value, by every verb, with and without generated code", () => {
    const encoder = new Encoder();
    const generated = new Decoder({ ...keep, codeGeneration: true });
    const interpreted = new Decoder({ ...keep, codeGeneration: false });
    const strict = new Decoder({ ...keep, strict: true });
    fc.assert(
      fc.property(anyValue, (value) => {
        const bytes = encoder.encode(value);
        none(bytesDiffer(encodeOwned(value), bytes), "encodeOwned");
        none(bytesDiffer(encodeShared(value), bytes), "encodeShared");
        const target = new Uint8Array(bytes.length + 3);
        expect(encodeInto(value, target, 3)).toBe(bytes.length + 3);
        none(bytesDiffer(target.subarray(3), bytes), "encodeInto");
        none(differ(generated.decode(bytes), value), "generated");
        none(differ(interpreted.decode(bytes), value), "interpreted");
        none(differ(strict.decode(bytes), value), "strict");
        none(differ(decode(bytes, { ...keep, binary: "view" }), value), "views");
        const at = decodeAt(concat(bytes, bytes), bytes.length, keep);
        expect(at.end).toBe(bytes.length * 2);
        none(differ(at.value, value), "decodeAt");
      }),
      { numRuns: 250 },
    );
  });

  test("the same value many times over: caches and predictions change nothing", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const encoder = new Encoder();
        const decoder = new Decoder({ ...keep, codeGeneration: true });
        const bytes = encode(value);
        if (bytes.length > 2000) return;
        for (let i = 0; i < 230; i++) {
          none(bytesDiffer(encoder.encodeShared(value), bytes), `time ${i}`);
          const back = decoder.decode(bytes);
          if (i % 50 === 0 || i > 190) none(differ(back, value), `time ${i}`);
        }
      }),
      { numRuns: 40 },
    );
  });

  test("sequences", () => {
    fc.assert(
      fc.property(fc.array(anyValue, { maxLength: 6 }), (values) => {
        const bytes = concat(...values.map((value) => encode(value)));
        none(differ([...decodeMulti(bytes, keep)], values));
      }),
      { numRuns: 50 },
    );
  });

  test("maps as Map: the same bytes again, whatever the keys", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const bytes = encode(value);
        none(bytesDiffer(encode(decode(bytes, { ...keep, maps: "map" })), bytes));
      }),
      { numRuns: 150 },
    );
  });

  test("timestamps and 64-bit integers as asked: the same bytes again", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const bytes = encode(value);
        none(bytesDiffer(encode(decode(bytes, { ...keep, timestamps: "timestamp" })), bytes), "timestamp");
        none(bytesDiffer(encode(decode(bytes, { ...keep, int64: "bigint" })), bytes), "bigint");
      }),
      { numRuns: 150 },
    );
  });

  test("an encoder for all leaves nothing of one message in the next", () => {
    const encoder = new Encoder();
    const decoder = new Decoder(keep);
    fc.assert(
      fc.property(
        anyValue,
        fc.constantFrom<unknown>(undefined, () => 1, Symbol("s"), new Set([1])),
        anyValue,
        (a, bad, b) => {
          const before = encoder.encode(a);
          caughtOurs(() => encoder.encode({ a, list: [a, bad] }));
          caughtOurs(() => decoder.decode(before.subarray(0, before.length - 1)));
          none(bytesDiffer(encoder.encode(b), encode(b)));
          none(differ(decoder.decode(before), a));
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe("canonical", () => {
  const canonical = new Encoder({ canonical: true });

  /** The same value with the entries of all its objects and Maps in another order. */
  function shuffled(value: unknown, random: (below: number) => number): unknown {
    const mix = <T>(list: T[]): T[] => {
      for (let i = list.length - 1; i > 0; i--) {
        const j = random(i + 1);
        [list[i], list[j]] = [list[j]!, list[i]!];
      }
      return list;
    };
    if (Array.isArray(value)) return value.map((item) => shuffled(item, random));
    if (value instanceof Map) return new Map(mix([...value]).map(([key, item]) => [key, shuffled(item, random)]));
    if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
    return objectOf(mix(Object.entries(value)).map(([name, item]) => [name, shuffled(item, random)] as const));
  }

  test("a permutation of keys, at any depth, gives equal bytes", () => {
    fc.assert(
      fc.property(anyObject, fc.nat(), (value, seed) => {
        const bytes = canonical.encode(value);
        none(bytesDiffer(canonical.encode(shuffled(value, randomSource(seed))), bytes));
        const back = decode(bytes, { ...keep, strict: true });
        none(bytesDiffer(canonical.encode(back), bytes), "again");
        expect(bytes.length).toBe(encode(value).length);
      }),
      { numRuns: 120 },
    );
  });
});

describe("any bytes in: a value, or a coded error", () => {
  const modes: DecoderOptions[] = [
    {},
    keep,
    { ...keep, codeGeneration: false },
    { ...keep, strict: true },
    { ...keep, maps: "map" },
    { maps: "object" },
    { ...keep, int64: "bigint", timestamps: "timestamp", binary: "view", utf8: "replace" },
    { ...keep, int64: "number", timestamps: "date" },
    { ...keep, fidelity: "js" },
    { ...keep, maxDepth: 3 },
    { ...keep, maxDepth: 4096 },
    { ...keep, maxBytes: 20 },
  ];
  const decoders = modes.map((options) => new Decoder(options));

  function judge(bytes: Uint8Array<ArrayBuffer>): void {
    decoders.forEach((decoder, i) => {
      let value: unknown;
      try {
        value = decoder.decode(bytes);
      } catch (error) {
        if (!(error instanceof MoonpackError)) throw error;
        const { code, offset, needMore } = error as MoonpackError & { offset?: number; needMore?: number };
        if (offset === undefined || !(offset >= 0 && offset <= bytes.length))
          throw new Error(`${code} without a good offset: ${offset}`);
        if ((needMore !== 0) !== (code === "ERR_TRUNCATED")) throw new Error(`${code} with needMore ${needMore}`);
        return;
      }
      // What came out must go in again, and be the same then.
      const options = modes[i]!;
      const encoder = new Encoder({ fidelity: options.fidelity ?? "standard", maxDepth: 4096 });
      const again = new Decoder({ ...options, maxBytes: 1_000_000, strict: false }).decode(encoder.encode(value));
      // Small integers in 64-bit form are bigint once and, now that they are in their shortest form, no longer.
      if (options.int64 === "bigint") none(bytesDiffer(encoder.encode(again), encoder.encodeOwned(value)), `mode ${i}`);
      else none(differ(again, value), `mode ${i}`);
    });
    // The dump never throws either, and ends with the bytes.
    let last = 0;
    for (const { end } of diagnose(bytes)) last = end;
    if (last !== bytes.length) throw new Error(`the dump ends at ${last} of ${bytes.length}`);
  }

  test("random bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (list) => judge(new Uint8Array(list))),
      { numRuns: 2500 },
    );
  });

  test("bytes that lean to headers", () => {
    const lean = fc.oneof(
      fc.integer({ min: 0x80, max: 0x93 }),
      fc.integer({ min: 0xa0, max: 0xa5 }),
      fc.integer({ min: 0xc0, max: 0xdf }),
      fc.constantFrom(0, 1, 2, 4, 8, 12, 0xff),
      fc.nat(255),
    );
    fc.assert(
      fc.property(fc.array(lean, { maxLength: 60 }), (list) => judge(new Uint8Array(list))),
      { numRuns: 3500 },
    );
  });

  test("vectors with bytes changed, cut out, doubled or put in", () => {
    const random = randomSource(2026);
    const seeds = [...vectors, ...rejected].map((v) => v.bytes).filter((bytes) => bytes.length < 600);
    for (let i = 0; i < 3000; i++) {
      let bytes = seeds[random(seeds.length)]!.slice();
      for (let n = random(3); n >= 0; n--) {
        const at = random(bytes.length + 1);
        const way = random(5);
        if (way === 0) bytes[at] = random(256);
        else if (way === 1) bytes = concat(bytes.slice(0, at), bytes.slice(at + 1 + random(4)));
        else if (way === 2) bytes = concat(bytes.slice(0, at), new Uint8Array([random(256)]), bytes.slice(at));
        else if (way === 3) bytes = concat(bytes.slice(0, at), seeds[random(seeds.length)]!, bytes.slice(at));
        else if (at < bytes.length) bytes[at] = bytes[at]! ^ (1 << random(8));
      }
      judge(bytes);
    }
    expect(seeds.length).toBeGreaterThan(500);
  });

  test("encodings of any value with bytes changed", () => {
    fc.assert(
      fc.property(
        anyValue,
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        (value, changes) => {
          const bytes = encodeOwned(value);
          for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
          judge(bytes);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("any value in: bytes, or a coded error", () => {
  const encoders = [
    new Encoder(),
    new Encoder({ fidelity: "json" }),
    new Encoder({ fidelity: "js" }),
    new Encoder({ canonical: true }),
    new Encoder({ utf8: "replace" }),
    new Encoder({ maxBytes: 50 }),
    new Encoder({ maxDepth: 2 }),
  ];

  test("whatever JavaScript has", () => {
    const anything = fc.anything({
      withBigInt: true,
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withObjectString: true,
      withSet: true,
      withSparseArray: true,
      withTypedArray: true,
      withUnicodeString: true,
      maxDepth: 4,
    });
    const odd = fc.oneof(
      anything,
      fc.constantFrom<unknown>(
        () => 1,
        Symbol("s"),
        /x/g,
        new Error("e"),
        new WeakMap(),
        Promise.resolve(1),
        new Proxy({}, {}),
        new Proxy([], {}),
        Object.create({ inherited: 1 }),
        new (class Own {
          x = 1;
        })(),
        new Date(Number.NaN),
        "\ud800",
        2n ** 64n,
        globalThis.Math,
        new URL("http://x/"),
        new (class extends Array<number> {})(3),
        new (class extends Map {})(),
        new (class extends Uint8Array {})(3),
      ),
    );
    fc.assert(
      fc.property(fc.oneof(odd, fc.array(odd), fc.dictionary(fc.string(), odd)), (value) => {
        encoders.forEach((encoder, i) => {
          let bytes: Uint8Array<ArrayBuffer>;
          try {
            bytes = encoder.encode(value);
          } catch (error) {
            if (!(error instanceof MoonpackError)) throw error;
            if (
              error.code !== "ERR_LIMIT_BYTES" &&
              typeof (error as MoonpackError & { path?: unknown }).path !== "string"
            ) {
              throw new Error(`encoder ${i}: ${error.code} without a path`);
            }
            return;
          }
          // Whatever was written can be read.
          decode(bytes, { ...keep, fidelity: i === 2 ? "js" : "standard" });
        });
      }),
      { numRuns: 1500 },
    );
  });
});
