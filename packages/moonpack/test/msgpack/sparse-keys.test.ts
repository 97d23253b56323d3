/** Keys that are sparse array indices. V8 stores them as dictionary elements; they decode like all other keys. */

import * as pck from "@moonpack/pck";
import { codeGeneration } from "@moonpack/pck/codegen";
import { Decoder, decode, encode } from "moonpack";
import { complete } from "moonpack/msgpack/features";
import { StreamDecoder } from "moonpack/stream";
import { describe, expect, test } from "vitest";

const OBJECTS: readonly (readonly [string, Record<string, unknown>])[] = [
  ["one", { 999: 1 }],
  ["several, mixed with names", { a: 1, 1023: "b", z: [2], 20: null, 0: true }],
  ["no indices", { "01": 1, "4294967295": 2, "1e3": 3, "-5": 4, " 7": 5, "": 6, "99999999999": 7 }],
  ["the largest index", { 4294967294: 1 }],
  ["many dense indices", Object.fromEntries(Array.from({ length: 300 }, (_, i) => [i, i]))],
  ["many sparse indices", Object.fromEntries(Array.from({ length: 300 }, (_, i) => [i * 40, i]))],
  [
    "an index and names of Object.prototype",
    JSON.parse('{"__proto__":1,"constructor":2,"777":3}') as Record<string, unknown>,
  ],
];

describe("objects with sparse indices as keys", () => {
  for (const [name, object] of OBJECTS) {
    test(name, () => {
      const bytes = encode([object, object, object]);
      const text = JSON.stringify([object, object, object]);
      for (const options of [{}, { codeGeneration: false }, { strict: true, engine: complete }] as const) {
        const decoder = new Decoder(options);
        // Enough rounds for a generated reader, if the keys allowed one.
        for (let i = 0; i < 100; i++) expect(JSON.stringify(decoder.decode(bytes))).toBe(text);
      }
      const stream = new StreamDecoder();
      for (const byte of bytes) stream.push(Uint8Array.of(byte));
      expect(JSON.stringify([...stream])).toBe(`[${text}]`);
      const [first] = decode(bytes) as Record<string, unknown>[];
      expect(Object.getPrototypeOf(first)).toBe(Object.prototype);
      expect(Object.keys(first!)).toEqual(Object.keys(object));
      first!["4294967294"] = "later";
      expect(first!["4294967294"]).toBe("later");
    });
  }

  test("PCK: maps as objects, and a field whose name is an index", () => {
    const { array, codec, MAP, schema, u8, U8, UTF8 } = pck;
    const One = schema("One", u8("999"), u8("a"), array("list", MAP(UTF8, U8)));
    const value = { 999: 1, a: 2, list: [new Map([["5000", 1]]), new Map([["__proto__", 2]])] };
    for (const generation of [false, codeGeneration] as const) {
      const made = codec(One, { maps: "object", codeGeneration: generation });
      const read = made.decode(codec(One).encode(value));
      expect(JSON.stringify(read)).toBe('{"999":1,"a":2,"list":[{"5000":1},{"__proto__":2}]}');
      expect(pck.resolve(One, One, { maps: "object" }).decode(codec(One).encode(value))).toEqual(read);
    }
  });
});
