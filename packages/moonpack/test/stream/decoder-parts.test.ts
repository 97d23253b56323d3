/** However the bytes are cut, the values and errors (with their offsets) are the same as for the whole input. */

import { anyValue } from "@moonpack/harness/arbitrary.ts";
import { cutAt, cutEvery, disagree, feed, inParts, type Outcome, whole } from "@moonpack/harness/cuts.ts";
import { each, equal, none } from "@moonpack/harness/each.ts";
import { share, stride, thinned } from "@moonpack/harness/effort.ts";
import { FIDELITY_JS } from "@moonpack/harness/fidelity.ts";
import { canGenerate } from "@moonpack/harness/generate.ts";
import { concat } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { rejected, vectors } from "@moonpack/harness/vectors.ts";
import fc from "fast-check";
import { type DecoderOptions, encode } from "moonpack";
import { codeGeneration, complete } from "moonpack/msgpack/features";
import { StreamDecoder } from "moonpack/stream";
import { describe, expect, test } from "vitest";

const modes: readonly [string, DecoderOptions][] = [
  ["by default", {}],
  ["without generated code", { codeGeneration: false }],
  ["strict", { strict: true, engine: complete }],
  ["maps: map", { maps: "map" }],
  ["maps: object", { maps: "object" }],
  ["binary: view", { binary: "view" }],
  ["fidelity js, deep", { fidelity: FIDELITY_JS, maxDepth: 4096, engine: complete }],
];

/** In the default mode and the strict one all vectors; each other mode concerns few of them, and takes every fourth. */
function vectorsOf(mode: string): typeof vectors {
  const m = modes.findIndex(([name]) => name === mode);
  return mode === "by default" || mode === "strict" ? vectors : vectors.filter((_, i) => i % 4 === m % 4);
}

for (const [mode, given] of modes) {
  const chosen = thinned(vectorsOf(mode));
  const options: DecoderOptions = { unknownExtensions: "keep", ...given };

  describe(`parts give the results of the whole input, ${mode}`, () => {
    // One decoder for all valid messages: each one starts in the state that the last one has left.
    const decoder = new StreamDecoder(options);
    const agrees = (all: Outcome, parts: Uint8Array[], name: string) => {
      if (all.error !== null) return none(disagree(inParts(parts, options), all), name);
      const values: unknown[] = [];
      feed(decoder, parts, options, (value) => values.push(value));
      none(disagree({ values, error: null }, all), name);
    };

    test("vectors, cut at each byte", () => {
      each(chosen, ({ bytes }) => {
        const all = whole(bytes, options);
        const step = Math.ceil(bytes.length / (bytes.length < 300 ? 300 : bytes.length < 5000 ? 30 : 3));
        for (let i = 0; i <= bytes.length; i += step) agrees(all, cutAt(bytes, [i]), `at ${i}`);
      });
    });

    test("vectors, byte by byte and in small parts", () => {
      each(chosen, ({ bytes }) => {
        const all = whole(bytes, options);
        for (const size of [1, 2, 3, 7, 64, 1000]) {
          if (bytes.length / size < 10_000) agrees(all, cutEvery(bytes, size), `by ${size}`);
        }
      });
    });

    test("invalid input, cut at each byte and byte by byte", () => {
      each(thinned(rejected), ({ bytes }) => {
        const all = whole(bytes, options);
        for (let i = 0; i <= Math.min(bytes.length, 40); i++)
          none(disagree(inParts(cutAt(bytes, [i]), options), all), `at ${i}`);
        if (bytes.length < 10_000) none(disagree(inParts(cutEvery(bytes, 1), options), all), "byte by byte");
      });
    });

    test("any sequence of values in any parts", () => {
      const cuts = fc.array(fc.nat(), { maxLength: 12 });
      fc.assert(
        fc.property(fc.array(anyValue, { maxLength: 5 }), cuts, fc.nat(40), (values, places, padding) => {
          // Padding shifts the values within parts that are long enough to be read recursively.
          const bytes = concat(...values.map((value) => encode([" ".repeat(padding * 7), value])));
          const offsets = places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b);
          none(disagree(inParts(cutAt(bytes, offsets), options), whole(bytes, options)));
        }),
        { numRuns: 200 },
      );
    });

    test("any bytes in any parts", () => {
      const random = randomSource(7);
      for (let i = 0; i < share(2000); i++) {
        const { bytes } = vectors[random(vectors.length)]!;
        if (bytes.length > 2000) continue;
        const broken = concat(bytes, bytes, bytes);
        for (let k = random(3); k >= 0; k--) broken[random(broken.length)] = random(256);
        const offsets = Array.from({ length: random(6) }, () => random(broken.length + 1)).sort((a, b) => a - b);
        none(disagree(inParts(cutAt(broken, offsets), options), whole(broken, options)), `case ${i}`);
      }
    });
  });
}

describe("records of known shapes", () => {
  const record = (i: number) => ({
    id: i,
    name: `n${i}`,
    at: { x: i / 3, y: -i, deep: [{ p: [i, [i, { q: "é".repeat(i % 9) }]] }] },
    tags: ["a", `b${i}`],
    raw: i % 5 === 0 ? new Uint8Array(i % 50) : null,
    [`only${i % 3}`]: true,
  });

  for (const isGenerated of [true, false]) {
    test(`cut at every byte, ${isGenerated ? "generated" : "interpreted"} readers`, () => {
      const decoder = new StreamDecoder({ codeGeneration: isGenerated ? codeGeneration : false });
      const warm = encode(Array.from({ length: 1000 }, (_, i) => record(i)));
      for (const _ of decoder.push(warm)) expect(decoder.offset).toBe(warm.length);
      if (isGenerated && canGenerate()) expect(decoder.stats().shapesCompiled).toBeGreaterThan(0);
      const bytes = encode([record(15), record(16), record(17)]);
      const all = whole(bytes, {});
      for (let i = 0; i <= bytes.length; i += stride(1)) {
        for (let j = i; j <= Math.min(bytes.length, i + 3); j++) {
          const values: unknown[] = [];
          for (const part of cutAt(bytes, [i, j])) for (const value of decoder.push(part)) values.push(value);
          none(disagree({ values, error: null }, all), `at ${i} and ${j}`);
        }
      }
      decoder.end();
    });
  }

  test("a large dictionary, a Map, and one that becomes a Map late", () => {
    const dictionary = Object.fromEntries(
      Array.from({ length: 2000 }, (_, i) => [`k${(i * 7919) % 2000}`, [i, { i }]]),
    );
    const numbered = Object.fromEntries(
      Array.from({ length: 900 }, (_, i) => [i % 2 === 0 ? `${900 - i}` : `k${i}`, i]),
    );
    const late = new Map<unknown, unknown>(Array.from({ length: 700 }, (_, i) => [i === 650 ? 650 : `${700 - i}`, i]));
    const bytes = concat(...[dictionary, numbered, late].map((value) => encode(value)));
    const all = whole(bytes, {});
    for (const size of [1, 10, 100, 999, 5000]) none(disagree(inParts(cutEvery(bytes, size), {}), all), `by ${size}`);
  });
});

describe("keys that are containers", () => {
  const map = (...keys: unknown[]) => encode(new Map(keys.map((key, i) => [key, i])));
  test("strict mode compares their bytes, however they are cut", () => {
    const options: DecoderOptions = { strict: true, engine: complete };
    const good = map([1, [2, "x".repeat(100)]], [3, [2, "x".repeat(100)]], new Map([[[1], 1]]), new Map([[[2], 1]]));
    const bad = map([1, [2, "x".repeat(100)], 7], [1, [2, "x".repeat(100)], 7], 5);
    const nested = map(
      new Map<unknown, number>([
        [[[1], 2], 1],
        [[[1], 2], 1],
      ]),
      5,
    );
    for (const bytes of [good, bad, nested]) {
      const all = whole(bytes, options);
      equal(all.error?.code, bytes === good ? undefined : "ERR_DUPLICATE_KEY");
      for (let i = 0; i <= bytes.length; i++) none(disagree(inParts(cutAt(bytes, [i]), options), all), `at ${i}`);
      for (const size of [1, 2, 3, 50, 70]) none(disagree(inParts(cutEvery(bytes, size), options), all), `by ${size}`);
    }
  });
});

describe("keys that are maps with maps as keys", () => {
  /** `depth` maps, each the first key of the one around it, with a second key beside it. */
  function chain(depth: number, isTwice: boolean): Uint8Array {
    let bytes: Uint8Array = Uint8Array.of(0x81, 1, 2);
    for (let i = 0; i < depth; i++) {
      const beside = isTwice && i === depth - 1 ? bytes : Uint8Array.of(0x92, i % 128, i % 100);
      bytes = concat(Uint8Array.of(0x82), bytes, Uint8Array.of(0xc0), beside, Uint8Array.of(0xa2, 0x61, 0x62));
    }
    return bytes;
  }

  test("strict mode compares them, however they are cut", () => {
    const options: DecoderOptions = { strict: true, engine: complete };
    for (const isTwice of [false, true]) {
      const bytes = concat(chain(8, isTwice), chain(3, false));
      const all = whole(bytes, options);
      equal(all.error?.code, isTwice ? "ERR_DUPLICATE_KEY" : undefined);
      for (let i = 0; i <= bytes.length; i += stride(1)) {
        for (let j = i; j <= bytes.length; j += 5) {
          none(disagree(inParts(cutAt(bytes, [i, j]), options), all), `at ${i} and ${j}`);
        }
      }
      for (const size of [1, 2, 3, 50, 70]) none(disagree(inParts(cutEvery(bytes, size), options), all), `by ${size}`);
    }
  });
});

test("nested data of fidelity js give the errors of a whole input", () => {
  for (const hex of ["c7056200dc000901c1", "c70562dc000901c1", "92c70562dc000901c101"]) {
    const bytes = Uint8Array.from(hex.match(/../g)!, (byte) => Number.parseInt(byte, 16));
    const options: DecoderOptions = { fidelity: FIDELITY_JS, unknownExtensions: "keep" };
    const all = whole(bytes, options);
    for (let i = 0; i <= bytes.length; i++) none(disagree(inParts(cutAt(bytes, [i]), options), all), `at ${i}`);
  }
});
