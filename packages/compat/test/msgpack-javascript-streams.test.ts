/**
 * The stream functions: @msgpack/msgpack and its replacement give the same results for the same chunks, and the replacement
 * gives the same results for a stream and for the whole input. Further guarantees are in msgpack-javascript-sources.test.ts.
 */

import * as moonpack from "@moonpack/compat/msgpack-javascript";
import { none } from "@moonpack/harness/each.ts";
import { share } from "@moonpack/harness/effort.ts";
import { concat, fromHex, toHex } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import type * as msgpack from "@msgpack/msgpack";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyValue, BYTES, DECODE_OPTIONS, decodeOptions, VALUES } from "./cases.ts";
import { disagreement, face, original, outcome } from "./libraries.ts";
import { cuts, READINGS, randomChunks, read, streamsDiffer } from "./msgpack-javascript-chunks.ts";

it("the functions and methods have the types of the original", () => {
  const typed: [typeof msgpack.decodeAsync, typeof msgpack.decodeMultiStream, typeof msgpack.decodeArrayStream] = [
    moonpack.decodeAsync,
    moonpack.decodeMultiStream,
    moonpack.decodeArrayStream,
  ];
  const methods = ["decodeAsync", "decodeArrayStream", "decodeStream"] satisfies (keyof msgpack.Decoder)[];
  expect(typed.map((one) => typeof one)).toEqual(["function", "function", "function"]);
  expect(methods.map((name) => typeof moonpack.Decoder.prototype[name])).toEqual(["function", "function", "function"]);
});

describe("decoding streams as @msgpack/msgpack does", () => {
  it.each(
    DECODE_OPTIONS.map((one) => [Object.keys(one).join() || "no options", one] as const),
  )("table of bytes, cut everywhere, %s", async (_, one) => {
    for (const hex of BYTES) {
      const bytes = fromHex(hex);
      for (const chunks of cuts(bytes)) {
        for (const reading of ["decodeAsync", "decodeMultiStream"] as const) {
          none(await streamsDiffer(reading, chunks, one), chunks.map(toHex).join());
        }
      }
      // The original needs the header of the array in the first chunk.
      for (const chunks of cuts(concat(bytes, Uint8Array.of(0xc0)))) {
        const list = [concat(Uint8Array.of(0x92), chunks[0]!), ...chunks.slice(1)];
        none(await streamsDiffer("decodeArrayStream", list, one), list.map(toHex).join());
      }
    }
  });

  it("table of values, in random chunks", async () => {
    const random = randomSource(11);
    for (const { name, value } of VALUES.filter((one) => one.name !== "own __proto__ key")) {
      const encoded = outcome(() => original.encode([value, 1, value]).slice()).value as Uint8Array | undefined;
      if (encoded === undefined) continue;
      for (const longest of [1, 5, 300]) {
        const chunks = randomChunks(encoded, longest, random);
        for (const reading of READINGS) none(await streamsDiffer(reading, chunks), name);
      }
    }
  });

  it("generated values, options and chunks", async () => {
    const chunking = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.nat());
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyValue, { minLength: 1, maxLength: 4 }),
        decodeOptions,
        chunking,
        async (values, options, [longest, seed]) => {
          const random = randomSource(seed);
          const list = original.encode(values, { useBigInt64: true }).slice();
          const chunks = randomChunks(list, longest, random);
          none(await streamsDiffer("decodeAsync", chunks, options));
          none(await streamsDiffer("decodeArrayStream", chunks, options));
          none(await streamsDiffer("decodeMultiStream", randomChunks(list.slice(1), longest, random), options));
        },
      ),
      { numRuns: 700 },
    );
  });

  it("chunks of every type", async () => {
    const bytes = fromHex("93cd0102a461626364c40105");
    const shared = new SharedArrayBuffer(4);
    new Uint8Array(shared).set(bytes.subarray(4, 8));
    const chunks = [
      Array.from(bytes.subarray(0, 2)),
      { length: 2, 0: bytes[2], 1: bytes[3] },
      shared,
      new DataView(bytes.buffer, 8, 1),
      bytes.slice(9, 10).buffer,
      new Uint8ClampedArray(bytes.subarray(10, 11)),
      bytes.subarray(11),
    ];
    for (const reading of READINGS) none(await streamsDiffer(reading, chunks));
    expect((await read(face, "decodeAsync", chunks)).values).toEqual([[0x102, "abcd", Uint8Array.of(5)]]);
    const wide = new Uint16Array(bytes.slice().buffer);
    for (const reading of READINGS) none(await streamsDiffer(reading, [wide]));
  });
});

describe("a stream gives the results of the whole input", () => {
  const options = [
    {},
    { rawStrings: true, useBigInt64: true, maxDepth: 3 },
    { keyDecoder: null, mapKeyConverter: String },
    { maxStrLength: 5, maxBinLength: 4, maxExtLength: 3, maxArrayLength: 3, maxMapLength: 2 },
  ];

  /**
   * That bytes are missing is known only at a stream's end: it reads on, and may find another fault behind. And an
   * extension too large whose type is missing is cut.
   */
  async function asWhole(bytes: Uint8Array, chunks: Uint8Array[], one: object): Promise<string | null> {
    const values: unknown[] = [];
    const { error } = outcome(() => {
      for (const value of face.decodeMulti(bytes, one)) values.push(value);
    });
    const streamed = await read(face, "decodeMultiStream", chunks, one);
    const problem = disagreement({ value: values }, { value: streamed.values });
    if (problem !== null) return problem;
    const [want, got] = [error, streamed.error] as (InstanceType<typeof moonpack.DecodeError> | undefined)[];
    if (want?.code === "ERR_TRUNCATED" && got !== undefined) return null;
    if (want?.code === "ERR_LIMIT_BYTES" && got?.code === "ERR_TRUNCATED" && got.offset === want.offset) return null;
    return want?.message === got?.message && want?.code === got?.code && want?.offset === got?.offset
      ? null
      : `whole ${String(want)}, stream ${String(got)}`;
  }

  it("any bytes in any chunks: the same values, the same error at the same offset", async () => {
    const random = randomSource(5);
    for (let i = 0; i < share(4000); i++) {
      const bytes = new Uint8Array(random(40)).map(() => (random(3) === 0 ? 0x80 + random(0x60) : random(256)));
      const one = options[i % options.length]!;
      const chunks = randomChunks(bytes, 1 + random(12), random);
      none(await asWhole(bytes, chunks, one), chunks.map(toHex).join());
    }
  });

  it("mutated messages", async () => {
    const random = randomSource(6);
    const sample = face.encode({
      a: [1, 2.5, "text", null, { b: new Uint8Array(3), c: -5 }],
      d: new Date(5),
      é: [[[]]],
    });
    for (let i = 0; i < share(3000); i++) {
      const bytes = concat(sample, sample);
      for (let flips = random(3); flips >= 0; flips--) bytes[random(bytes.length)] = random(256);
      const chunks = randomChunks(bytes, 1 + random(30), random);
      none(await asWhole(bytes, chunks, options[i % options.length]!), chunks.map(toHex).join());
    }
  });

  it("every strict prefix: ERR_TRUNCATED at the cut item, with the least number of missing bytes", async () => {
    const bytes = face.encode([{ a: ["text", new Uint8Array(40), 1.5, new Date(1)] }, -40_000]);
    for (let n = 0; n < bytes.length; n++) {
      for (const reading of READINGS) {
        const { error } = await read(face, reading, [bytes.subarray(0, n >> 1), bytes.subarray(n >> 1, n)]);
        if (reading === "decodeMultiStream" && n === 0) expect(error).toBe(undefined);
        else expect(error).toMatchObject({ name: "DecodeError", code: "ERR_TRUNCATED" });
        const { offset, needMore } = (error ?? { offset: 0, needMore: bytes.length }) as moonpack.DecodeError;
        expect(offset).toBeLessThanOrEqual(n);
        expect(needMore).toBeGreaterThan(0);
        expect(needMore).toBeLessThanOrEqual(bytes.length - n);
      }
    }
    const inside = await read(face, "decodeMultiStream", [
      [0x92, 0xc0],
      [0xc5, 1],
      [0, 7],
    ]);
    expect(inside.error).toMatchObject({ offset: 2, needMore: 255 });
  });
});
