/**
 * Map keys that were chosen to collide are rejected; other keys are not. Such keys are numbers that V8 puts into one
 * bucket of a Map. This test finds them by trying, with its own implementation of V8's hash.
 */

import { fault } from "@moonpack/harness/caught.ts";
import { collidingKeys, KINDS_OF_KEYS } from "@moonpack/harness/colliding-keys.ts";
import { FIDELITY_JS } from "@moonpack/harness/fidelity.ts";
import * as pck from "@moonpack/pck";
import { codeGeneration } from "@moonpack/pck/codegen";
import { Decoder, decode, Encoder, encode } from "moonpack";
import { complete } from "moonpack/msgpack/features";
import { StreamDecoder } from "moonpack/stream";
import { describe, expect, test } from "vitest";
import { KeyFlood } from "../../build/bytes/key-flood.js";

const { codec, map, schema, U8, U32, U64 } = pck;

const refusal = "ERR_LIMIT_ELEMENTS";

describe("keys that were chosen to collide", () => {
  for (const [name, keyOf] of Object.entries(KINDS_OF_KEYS)) {
    test(name, () => {
      // A Map of 200 keys has 128 buckets, and these keys fill one. A Map of 600 has 512, and they fill four.
      for (const count of [200, 600]) {
        const keys = collidingKeys(count, keyOf);
        const bytes = encode(new Map(keys.map((key) => [key, 1])));
        for (const options of [
          { engine: complete },
          { maps: "map", engine: complete },
          { strict: true, engine: complete },
          { codeGeneration: false, engine: complete },
        ] as const) {
          expect(fault(() => decode(bytes, options)).code).toBe(refusal);
        }
        const whole = fault(() => decode(bytes, { engine: complete }));
        const stream = new StreamDecoder();
        const inParts = fault(() => {
          for (const byte of bytes) {
            stream.push(Uint8Array.of(byte));
            for (const _ of stream);
          }
        });
        expect(inParts).toEqual(whole);
        const js = { fidelity: FIDELITY_JS };
        expect(fault(() => decode(encode(new Set(keys), js), js)).code).toBe(refusal);
        expect(
          fault(() =>
            decode(encode(new Map([[{ a: 1 } as unknown, 1], ...keys.map((key) => [key, 1] as const)]), js), js),
          ).code,
        ).toBe(refusal);
        const decoder = new Decoder({ engine: complete });
        fault(() => decoder.decode(bytes));
        expect(decoder.decode(new Encoder().encode(new Map([[1, 2]])))).toEqual(new Map([[1, 2]]));
      }
    });
  }

  test("strict: at the first key too many, not at the end of the map", () => {
    for (const keyOf of Object.values(KINDS_OF_KEYS)) {
      const keys = collidingKeys(600, keyOf);
      const bytes = encode(new Map(keys.map((key) => [key, 1])), { canonical: true, engine: complete });
      const whole = fault(() => decode(bytes, { strict: true, engine: complete }));
      expect(whole.code).toBe(refusal);
      expect(whole.offset).toBeLessThan(bytes.length / 3);
      const stream = new StreamDecoder({ strict: true, engine: complete });
      const inParts = fault(() => {
        for (const byte of bytes) for (const _ of stream.push(Uint8Array.of(byte)));
      });
      expect(inParts).toEqual(whole);
    }
  });

  test("the same keys are refused in parts, where the guard grows with the map", () => {
    // The first key makes it a Map, late keys collide: among 2,000 others, at any place.
    for (const before of [0, 100, 127, 128, 129, 255, 256, 1000]) {
      const others = Array.from({ length: 2000 }, (_, i) => 10 * i + 3);
      const keys = [...others.slice(0, before), ...collidingKeys(400, (i) => i), ...others.slice(before)];
      const bytes = encode(new Map(keys.map((key) => [key, 1])));
      const whole = fault(() => decode(bytes, { engine: complete }));
      expect(whole.code).toBe(refusal);
      expect(fault(() => [...new StreamDecoder().push(bytes.subarray(0, -1)).push(bytes.subarray(-1))])).toEqual(whole);
    }
  });

  test("PCK's maps: closures, generated code, and resolved schemas", () => {
    const asSmall = schema("Small", [map("m", U32, U8)]);
    const asLarge = schema("Large", [map("m", U64, U8)]);
    const small = new Map(collidingKeys(200, (i) => i).map((key) => [key as number, 1]));
    const large = new Map(collidingKeys(200, (i) => 2n ** 60n + BigInt(i)).map((key) => [key as bigint, 1]));
    for (const generation of [false, codeGeneration] as const) {
      const ofSmall = codec(asSmall, { codeGeneration: generation });
      const ofLarge = codec(asLarge, { codeGeneration: generation });
      // The count takes two bytes. The error has the offset of the 33rd key.
      expect(fault(() => ofSmall.decode(ofSmall.encode({ m: small })))).toMatchObject({
        code: refusal,
        offset: 2 + 32 * 5,
      });
      expect(fault(() => ofLarge.decode(ofLarge.encode({ m: large })))).toMatchObject({
        code: refusal,
        offset: 2 + 32 * 9,
      });
      expect(fault(() => pck.resolve(asSmall, asSmall).decode(ofSmall.encode({ m: small }))).code).toBe(refusal);
    }
  });
});

describe("other keys are not rejected", () => {
  const COUNT = 20_000;
  const sequences: Record<string, (i: number) => number | bigint> = {
    ids: (i) => i,
    "multiples of 1,000": (i) => i * 1000,
    "multiples of 65,536": (i) => i * 65_536,
    "multiples of 2^33": (i) => i * 2 ** 33,
    seconds: (i) => 1_700_000_000 + 60 * i,
    milliseconds: (i) => 1_700_000_000_000 + 60_000 * i,
    cents: (i) => i / 100,
    reciprocals: (i) => 1 / (i + 1),
    snowflakes: (i) => (1234567890123n << 22n) + 4096n * BigInt(i),
  };
  for (const [name, keyOf] of Object.entries(sequences)) {
    test(name, () => {
      const keys = Array.from({ length: COUNT }, (_, i) => keyOf(i));
      const flood = new KeyFlood(COUNT);
      for (const key of keys) flood.add(key, 0);
      const few = new Map(keys.slice(0, 1000).map((key) => [key, 1]));
      expect(decode(encode(few))).toEqual(new Map([...few].map(([key]) => [key, 1])));
    });
  }

  test("colliding keys in a small map; text keys", () => {
    const keys = collidingKeys(128, (i) => i);
    expect((decode(encode(new Map(keys.map((key) => [key, 1])))) as Map<number, number>).size).toBe(128);
    const texts = new Map(Array.from({ length: 2000 }, (_, i) => [`key ${i}`, i] as const));
    expect((decode(encode(texts), { maps: "map" }) as Map<string, number>).size).toBe(2000);
  });
});
