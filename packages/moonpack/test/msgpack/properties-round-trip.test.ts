/** Values round-trip with every function and option. Canonical bytes do not depend on the order of keys. */

import { anyObject, anyValue, objectOf } from "@moonpack/harness/arbitrary.ts";
import { caughtOurs } from "@moonpack/harness/caught.ts";
import { none } from "@moonpack/harness/each.ts";
import { bytesDiffer, concat } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { differ } from "@moonpack/harness/same.ts";
import fc from "fast-check";
import {
  Decoder,
  type DecoderOptions,
  decode,
  decodeAt,
  decodeMulti,
  Encoder,
  encode,
  encodeInto,
  encodeOwned,
  encodeShared,
} from "moonpack";
import { complete } from "moonpack/msgpack/features";
import { describe, expect, test } from "vitest";

const keep: DecoderOptions = { unknownExtensions: "keep" };

describe("round trips", () => {
  test("any value, with every function, with and without code generation", () => {
    const encoder = new Encoder();
    const generated = new Decoder({ ...keep, codeGeneration: true });
    const interpreted = new Decoder({ ...keep, codeGeneration: false });
    const strict = new Decoder({ ...keep, strict: true, engine: complete });
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

  test("the same value many times: caches and predictions do not change the result", () => {
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

  test("maps decoded to Map, with keys of any type, encode to the same bytes", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const bytes = encode(value);
        none(bytesDiffer(encode(decode(bytes, { ...keep, maps: "map" })), bytes));
      }),
      { numRuns: 150 },
    );
  });

  test("timestamps and 64-bit integers decoded to each type encode to the same bytes", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const bytes = encode(value);
        none(bytesDiffer(encode(decode(bytes, { ...keep, timestamps: "timestamp" })), bytes), "timestamp");
        none(bytesDiffer(encode(decode(bytes, { ...keep, int64: "bigint" })), bytes), "bigint");
      }),
      { numRuns: 150 },
    );
  });

  test("messages of a shared encoder do not depend on earlier messages", () => {
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
  const canonical = new Encoder({ canonical: true, engine: complete });

  /** Returns the value with the entries of all its objects and Maps in another order. */
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

  test("equal bytes for any order of keys, at any depth", () => {
    fc.assert(
      fc.property(anyObject, fc.nat(), (value, seed) => {
        const bytes = canonical.encode(value);
        none(bytesDiffer(canonical.encode(shuffled(value, randomSource(seed))), bytes));
        const back = decode(bytes, { ...keep, strict: true, engine: complete });
        none(bytesDiffer(canonical.encode(back), bytes), "again");
        expect(bytes.length).toBe(encode(value).length);
      }),
      { numRuns: 120 },
    );
  });
});
