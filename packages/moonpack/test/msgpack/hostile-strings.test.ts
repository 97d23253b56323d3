/** Hostile strings: names with a meaning in JavaScript are ordinary keys, and ill-formed text is always detected. */

import { fault } from "@moonpack/harness/caught.ts";
import { none } from "@moonpack/harness/each.ts";
import { concat, fromHex } from "@moonpack/harness/hex.ts";
import { refused } from "@moonpack/harness/refused.ts";
import { differ } from "@moonpack/harness/same.ts";
import { Decoder, type DecoderOptions, decode, Encoder, encode } from "moonpack";
import { complete } from "moonpack/msgpack/features";
import { describe, expect, test } from "vitest";

describe("names", () => {
  test("__proto__, constructor, toString and the empty key decode to own properties; prototypes do not change", () => {
    for (const text of [
      '{"__proto__":{"admin":true}}',
      '{"":1}',
      '{"constructor":7}',
      '{"toString":null}',
      '{"a":1,"__proto__":5,"b":[]}',
      '{"constructor":{"prototype":{"x":1}}}',
    ]) {
      const value = JSON.parse(text) as object;
      for (const options of [
        {},
        { codeGeneration: false },
        { strict: true, engine: complete },
      ] satisfies DecoderOptions[]) {
        const one = new Decoder(options);
        // Repeated until every way of reading is used.
        for (let i = 0; i < 250; i++) {
          const back = one.decode<object>(encode(value));
          expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
          none(differ(back, value), text);
        }
      }
    }
    expect(({} as { admin?: unknown }).admin).toBe(undefined);
    expect(({} as { x?: unknown }).x).toBe(undefined);
  });

  test("plain objects with any properties are written as maps", () => {
    for (const value of [
      { toISOString: 1 },
      { byteLength: 3, buffer: 1 },
      { type: 5, data: "x" },
      { seconds: 1, nanoseconds: 2 },
      { length: 2, 0: "a" },
      { _bsontype: "x" },
      { prototype: 1 },
    ]) {
      none(differ(decode(encode(value)), value));
    }
    expect(refused({ constructor: Date })).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$.constructor" });
  });

  test("toMessagePack in a plain object is data", () => {
    none(differ(decode(encode({ toMessagePack: 5, toJSON: "x" })), { toMessagePack: 5, toJSON: "x" }));
  });

  test("symbol keys and properties that are not enumerable are not written", () => {
    const value = Object.defineProperty({ a: 1, [Symbol("s")]: 2 }, "hidden", { value: 3, enumerable: false });
    expect(decode(encode(value))).toEqual({ a: 1 });
  });
});

describe("text", () => {
  test("lone surrogates: ERR_INVALID_UTF8 with the path, also in keys; replaced with utf8: 'replace'", () => {
    for (const bad of ["\ud800", "a\udc00b", "x".repeat(100) + "\ud83d", "日".repeat(5000) + "\udfff"]) {
      expect(refused({ a: [bad] })).toEqual({ code: "ERR_INVALID_UTF8", path: "$.a[0]" });
      expect(refused({ [bad]: 1 }).code).toBe("ERR_INVALID_UTF8");
      expect(refused(new Map([[bad, 1]])).code).toBe("ERR_INVALID_UTF8");
      const replace = new Encoder({ utf8: "replace" });
      expect(decode(replace.encode([bad]))).toEqual([bad.toWellFormed()]);
      expect(decode(replace.encode({ [bad]: 1 }))).toEqual({ [bad.toWellFormed()]: 1 });
    }
  });

  test("utf8: 'replace' replaces malformed UTF-8 by the WHATWG rules", () => {
    const lossy = new Decoder({ utf8: "replace" });
    for (const hex of ["c328", "ff", "e6", "f09f98", "eda080", "c080", "61ff62"]) {
      const data = fromHex(hex);
      const bytes = concat(new Uint8Array([0xa0 | data.length]), data);
      expect(lossy.decode(bytes)).toBe(new TextDecoder("utf-8", { ignoreBOM: true }).decode(data));
      expect(fault(() => decode(bytes)).code).toBe("ERR_INVALID_UTF8");
    }
  });
});
