/**
 * The replacement for msgpack-nodejs 1.3.9, one behaviour in each test. "as before": the same here. "better": the original
 * loses, corrupts or rejects the value; each is a row of UPGRADING.md.
 */

import * as face from "@moonpack/compat/msgpack-nodejs";
import { decode, encode } from "@moonpack/compat/msgpack-nodejs";
import { fault } from "@moonpack/harness/caught.ts";
import { fromHex, toHex } from "@moonpack/harness/hex.ts";
import { describe, expect, it } from "vitest";

const hex = (value: face.EncodableValue) => toHex(encode(value));
const round = (value: face.EncodableValue) => decode<unknown>(encode(value));
const ascii = (text: string) => toHex(new TextEncoder().encode(text));

describe("exports (as before, and those that were only documented)", () => {
  it("the documented names and two new ones; with Node's streams also those and NULL", () => {
    const streams = ["DecodeStream", "EncodeStream", "NULL"];
    expect(
      Object.keys(face)
        .filter((name) => !streams.includes(name))
        .sort(),
    ).toEqual(
      [
        ...["encode", "decode", "registerExtension", "applyOptions"],
        ...["lruCacheStat", "bufferAllocatorStat", "prefixTrieStat", "stringBufferStat"],
        ...["appliedOptions", "resetStat"],
      ].sort(),
    );
  });

  it("the types of values and options", () => {
    const value: face.EncodableValue = { a: [1, null] };
    const options: face.Options = { encoder: { byteArray: { base: 2048 } } };
    const result: face.DecodeOutput = decode(encode(value));
    expect([result, options.encoder?.byteArray?.base]).toEqual([{ a: [1, null] }, 2048]);
  });
});

describe("encode and decode", () => {
  it("as before: a Uint8Array at offset 0; better: it owns its memory, whatever its size", () => {
    for (const n of [1, 60, 500, 5000]) {
      const bytes = encode("x".repeat(n));
      expect(Object.getPrototypeOf(bytes)).toBe(Uint8Array.prototype);
      expect([bytes.byteOffset, bytes.buffer.byteLength]).toEqual([0, bytes.length]);
    }
  });

  it("better: changing or transferring a result does not affect later ones", () => {
    const first = encode({ hello: "hello" });
    const text = toHex(first);
    first.fill(0x41);
    expect(hex({ hello: "hello" })).toBe(text);
    structuredClone(first, { transfer: [first.buffer] });
    expect(hex({ hello: "hello" })).toBe(text);
  });

  it("as before: the first example of its documentation", () => {
    const bytes = encode({ compact: true, schema: 0 });
    expect(toHex(bytes)).toBe(`82a7${ascii("compact")}c3a6${ascii("schema")}00`);
    expect(bytes.length).toBe(18);
    expect(decode(bytes)).toEqual({ compact: true, schema: 0 });
  });

  it("better: ArrayBuffer and DataView are read too; other values are a coded error, not a TypeError", () => {
    const bytes = fromHex("920102");
    expect(decode(bytes.buffer)).toEqual([1, 2]);
    expect(decode(new DataView(bytes.buffer))).toEqual([1, 2]);
    for (const input of [null, undefined, "a", 1, [1]]) {
      expect(fault(() => decode(input as unknown as Uint8Array))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
  });
});

describe("encoding rules", () => {
  it("as before: null, booleans, integers up to their upper bounds, strings, binary, arrays", () => {
    const table: [face.EncodableValue, string][] = [
      [null, "c0"],
      [true, "c3"],
      [false, "c2"],
      [0, "00"],
      [127, "7f"],
      [-1, "ff"],
      [-32, "e0"],
      [128, "cc80"],
      [255, "ccff"],
      [256, "cd0100"],
      [65535, "cdffff"],
      [65536, "ce00010000"],
      [4294967295, "ceffffffff"],
      [4294967296, "cf0000000100000000"],
      [Number.MAX_SAFE_INTEGER, "cf001fffffffffffff"],
      [-33, "d0df"],
      [-127, "d081"],
      [-129, "d1ff7f"],
      [-32767, "d18001"],
      [-32769, "d2ffff7fff"],
      [-2147483647, "d280000001"],
      [-2147483649, "d3ffffffff7fffffff"],
      [0.1, "cb3fb999999999999a"],
      ["", "a0"],
      ["a".repeat(31), `bf${"61".repeat(31)}`],
      ["a".repeat(32), `d920${"61".repeat(32)}`],
      ["a".repeat(256), `da0100${"61".repeat(256)}`],
      ["é", "a2c3a9"],
      ["a\ud800", "a461efbfbd"],
      [new Uint8Array([1, 2]), "c4020102"],
      [[], "90"],
      [new Array(15).fill(0), `9f${"00".repeat(15)}`],
      [new Array(16).fill(0), `dc0010${"00".repeat(16)}`],
      [{}, "80"],
      [{ b: 1, a: 2 }, "82a16201a16102"],
      [new Map([["b", 1]]), "81a16201"],
      [new Date(1000), "d6ff00000001"],
      [new Date(1), "d7ff003d090000000000"],
      [new Date(-1), "c70cff3b8b87c0ffffffffffffffff"],
    ];
    for (const [value, bytes] of table) expect(hex(value)).toBe(bytes);
  });

  it("better: lower bounds of integers, maps of 15 entries and exact floats in their shortest form", () => {
    expect([hex(-128), hex(-32768), hex(-2147483648)]).toEqual(["d080", "d18000", "d280000000"]);
    const fifteen = Object.fromEntries(Array.from({ length: 15 }, (_, i) => [String.fromCharCode(97 + i), 0]));
    expect(hex(fifteen).slice(0, 4)).toBe("8fa1");
    expect([hex(0.5), hex(Number.NaN), hex(Infinity)]).toEqual(["ca3f000000", "ca7fc00000", "ca7f800000"]);
  });

  it("better: bigint in the shortest integer form, beyond 64 bits an error instead of truncation", () => {
    expect([hex(5n), hex(0n), hex(-1n), hex(2n ** 63n)]).toEqual(["05", "00", "ff", "cf8000000000000000"]);
    for (const value of [2n ** 64n + 7n, -(2n ** 63n) - 1n]) {
      expect(fault(() => encode([value]))).toEqual({ code: "ERR_OUT_OF_RANGE", path: "$[0]" });
    }
  });

  it("as before: undefined elements and holes are rejected; better: undefined properties are omitted", () => {
    const refused: [face.EncodableValue, string][] = [
      [undefined as unknown as null, "$"],
      [[1, undefined], "$[1]"],
      // biome-ignore lint/suspicious/noSparseArray: a hole is what is tested
      [[1, , 2], "$[1]"],
    ];
    for (const [value, path] of refused)
      expect(fault(() => encode(value))).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path });
    expect(hex({ a: undefined, b: 1 })).toBe("81a16201");
  });

  it("better: objects without a prototype and with an own `constructor` are maps", () => {
    expect(hex(Object.assign(Object.create(null), { a: 1 }))).toBe("81a16101");
    expect(round({ constructor: 7 })).toEqual({ constructor: 7 });
    expect(round({ constructor: -1, toString: "x" })).toEqual({ constructor: -1, toString: "x" });
  });

  it("better: typed arrays, ArrayBuffer, DataView and subclasses of Date are written, not dropped", () => {
    const bytes = new Uint8Array([1, 2, 3, 4]);
    for (const value of [
      bytes.buffer,
      new DataView(bytes.buffer),
      new Uint16Array(bytes.buffer),
      new Uint8ClampedArray(bytes),
    ]) {
      expect(hex(value)).toBe("c40401020304");
    }
    expect(hex(new (class extends Date {})(1000))).toBe("d6ff00000001");
  });

  it("better: values without a form are an error with the path, not an empty or corrupt message", () => {
    const values = [
      () => 1,
      Symbol("a"),
      new Set([1]),
      /a/,
      new Error("x"),
      Object("s"),
      Object(1),
      new (class Unknown {})(),
    ];
    for (const value of values) {
      expect(fault(() => encode([1, { x: value as object }, 2]))).toEqual({
        code: "ERR_UNSUPPORTED_TYPE",
        path: "$[1].x",
      });
    }
    expect(fault(() => encode(new Date(Number.NaN)))).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$" });
  });

  it("as before: toJSON is not called", () => {
    expect(fault(() => encode({ toJSON: () => 1 }))).toMatchObject({ code: "ERR_UNSUPPORTED_TYPE", path: "$.toJSON" });
  });

  it("better: Maps with any keys, both ways", () => {
    expect(
      round(
        new Map<unknown, unknown>([
          [1, 2],
          [null, 3],
        ]),
      ),
    ).toEqual(
      new Map<unknown, unknown>([
        [1, 2],
        [null, 3],
      ]),
    );
    expect(round(new Map([["a", 1]]))).toEqual({ a: 1 });
  });

  it("better: 2,900 levels as before, cycles and more than 4,096 levels as coded errors", () => {
    const deep = (levels: number) => {
      let value: unknown[] = [];
      for (let i = 1; i < levels; i++) value = [value];
      return value;
    };
    expect(hex(deep(4096))).toBe("91".repeat(4095) + "90");
    expect(encode(decode<object>(encode(deep(4096)))).length).toBe(4096);
    expect(fault(() => encode(deep(4097))).code).toBe("ERR_LIMIT_DEPTH");
    const cycle: unknown[] = [];
    cycle.push(cycle);
    expect(fault(() => encode(cycle)).code).toBe("ERR_CYCLE");
    expect(fault(() => decode(new Uint8Array(100_000).fill(0x91)))).toMatchObject({
      code: "ERR_LIMIT_DEPTH",
      offset: 4096,
    });
  });
});

describe("numbers make a round trip (better)", () => {
  const numbers = [
    -0,
    2 ** 53,
    2 ** 60,
    1e20,
    -1e20,
    1e300,
    Number.MAX_VALUE,
    Number.MIN_VALUE,
    0.1,
    Number.NaN,
    -Infinity,
  ];
  it.each(numbers)("%s", (value) => expect(round(value)).toBe(value));

  it("bigint where a number cannot hold it", () => {
    for (const value of [2n ** 53n, 2n ** 64n - 1n, -(2n ** 53n), -(2n ** 63n)]) expect(round(value)).toBe(value);
  });
});
