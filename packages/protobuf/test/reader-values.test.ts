/** The value that each method reads and the `pos` after it; `strict`; the forms of 64-bit integers. */

import { fault } from "@moonpack/harness/caught.ts";
import { fromHex } from "@moonpack/harness/hex.ts";
import { configure, type Int64Value, Reader, type ReaderOptions, Writer } from "@moonpack/protobuf";
import { describe, expect, test } from "vitest";
import { INTEGERS64, NUMBERS } from "./model.ts";

type Method =
  | (typeof NUMBERS)[number]
  | (typeof INTEGERS64)[number]
  | "bool"
  | "string"
  | "stringVerify"
  | "tag"
  | "size"
  | "skip";

function read(hex: string, method: Method, options?: ReaderOptions): unknown {
  const reader = new Reader(fromHex(hex), options);
  const value: unknown = reader[method]();
  expect(reader.pos, `${method} of ${hex}`).toBe(hex.length / 2);
  return value;
}

const ONES = "ffffffffffffffffff01";

describe("values", () => {
  test("every method", () => {
    const cases: [Method, string, unknown][] = [
      ["uint32", "9601", 150],
      ["uint32", "ffffffff0f", 4294967295],
      ["uint32", ONES, 4294967295],
      ["uint32", "8000", 0],
      ["int32", ONES, -1],
      ["int32", "ffffffff0f", -1],
      ["int32", "80808080f8ffffffff01", -2147483648],
      ["int32", "ffffffff07", 2147483647],
      ["sint32", "01", -1],
      ["sint32", "ffffffff0f", -2147483648],
      ["sint32", "feffffff0f", 2147483647],
      ["bool", "00", false],
      ["bool", "01", true],
      ["bool", "02", true],
      ["bool", "80808080808080808001", true],
      ["bool", "8000", false],
      ["fixed32", "ffffffff", 4294967295],
      ["sfixed32", "ffffffff", -1],
      ["float", "0000803f", 1],
      ["float", "00000080", -0],
      ["double", "9a9999999999b93f", 0.1],
      ["double", "000000000000f0ff", -Infinity],
      ["string", "00", ""],
      ["string", "02c3a9", "é"],
      ["string", "01ff", "\ufffd"],
      ["string", "03eda080", "\ufffd\ufffd\ufffd"],
      ["stringVerify", "04f09f9880", "😀"],
      ["string", "03efbbbf", "\ufeff"],
      ["tag", "0a", 10],
      ["tag", "ffffffff0f", 4294967295],
      ["size", "ffffffff07", 2147483647],
      ["size", "8000", 0],
    ];
    for (const [method, hex, want] of cases) expect(read(hex, method), `${method} of ${hex}`).toBe(want);
  });

  test("64-bit integers as numbers, bigints and Longs", () => {
    class Long {
      readonly parts: readonly unknown[];
      readonly low = 0;
      readonly high = 0;
      constructor(...parts: readonly [low: number, high: number, unsigned: boolean]) {
        this.parts = parts;
      }
    }
    const cases: [Method, string, bigint, boolean][] = [
      ["uint64", ONES, 2n ** 64n - 1n, true],
      ["int64", ONES, -1n, false],
      ["sint64", "01", -1n, false],
      ["sint64", ONES, -(2n ** 63n), false],
      ["fixed64", "ff".repeat(8), 2n ** 64n - 1n, true],
      ["sfixed64", "ff".repeat(8), -1n, false],
      ["int64", "80808080808080808001", -(2n ** 63n), false],
      ["uint64", "ac02", 300n, true],
      ["int64", "ffffffffffffff0f", 2n ** 53n - 1n, false],
      ["sfixed64", "000000000000e0ff", -(2n ** 53n), false],
    ];
    for (const [method, hex, want, unsigned] of cases) {
      expect(read(hex, method, { int64: "bigint" }), hex).toBe(want);
      expect(read(hex, method), hex).toBe(Number(want));
      if (Number.isSafeInteger(Number(want))) expect(read(hex, method, { int64: "number" }), hex).toBe(Number(want));
      else expect(fault(() => read(hex, method, { int64: "number" })).code, hex).toBe("ERR_UNSAFE_INTEGER");
      try {
        configure({ Long });
        const long = read(hex, method);
        expect(long).toBeInstanceOf(Long);
        const words = [BigInt.asIntN(32, want), BigInt.asIntN(32, want >> 32n)].map(Number);
        expect((long as Long).parts, hex).toEqual([...words, unsigned]);
        configure({});
        expect(read(hex, method)).toBeInstanceOf(Long);
      } finally {
        configure({ Long: null });
      }
    }
    expect(fault(() => configure({ Long: 5 as unknown as null }))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
  });

  test("packed varints of every length are as single ones, at every place of a list", () => {
    const numbers = Array.from({ length: 33 }, (_, bits) => 2 ** bits - 1).flatMap((n) => [n, Math.floor(n / 2) + 1]);
    const kinds = ["uint32", "int32", "sint32"] as const;
    for (const kind of kinds) {
      for (let count = 0; count < 14; count++) {
        for (let from = 0; from + count <= numbers.length; from++) {
          const list = numbers.slice(from, from + count).map((n) => (kind === "uint32" ? n >>> 0 : n | 0));
          const bytes = new Writer()[`${kind}s`](list).finish();
          for (const strict of [false, true]) {
            // In a longer message: what follows the list must not be read.
            const reader = new Reader(Uint8Array.of(...bytes, 0xff, 0xff, 0x7f), { strict });
            expect(reader[`${kind}s`]()).toEqual(list);
            expect(reader.pos).toBe(bytes.length);
          }
        }
      }
    }
  });

  test("short text that is not ASCII, also when a message has much of it", () => {
    const texts = Array.from({ length: 40 }, (_, i) => `${"é".repeat(i)}日本${"x".repeat(i % 7)}\u{1f680}`);
    const writer = new Writer();
    for (const text of texts) writer.string(text);
    const bytes = writer.finish();
    const reader = new Reader(bytes);
    expect(texts.map(() => reader.string())).toEqual(texts);
    const verifying = new Reader(Uint8Array.of(3, 0xe9, 0x61, 0x61, 3, 0xe2, 0x82, 0xac));
    expect(() => verifying.stringVerify()).toThrow("malformed UTF-8");
    expect(verifying.string()).toBe("€");
    expect(new Reader(Uint8Array.of(3, 0xe9, 0x61, 0x61)).string()).toBe("\ufffdaa");
  });

  test("packed items of every kind are appended", () => {
    const values = Array.from({ length: 40 }, (_, i) => i * 7);
    for (const name of NUMBERS) {
      const reader = new Reader(new Writer()[`${name}s`](values)[`${name}s`]([]).finish());
      const list = [1];
      expect(reader[`${name}s`](list) === list).toBe(true);
      expect(list).toEqual([1, ...values]);
      expect(reader[`${name}s`]()).toEqual([]);
      expect(reader.pos).toBe(reader.len);
    }
    for (const name of INTEGERS64) {
      const bytes = new Writer()[`${name}s`](values).finish();
      expect(new Reader(bytes, { int64: "bigint" })[`${name}s`]()).toEqual(values.map(BigInt) as Int64Value[]);
      expect(new Reader(bytes)[`${name}s`]()).toEqual(values);
    }
  });

  test("bytes and raw are views of the input", () => {
    const bytes = Uint8Array.of(9, 2, 5, 6, 7);
    const reader = new Reader(bytes.subarray(1));
    const view = reader.bytes();
    expect([...view]).toEqual([5, 6]);
    expect(view.buffer === bytes.buffer && view.byteOffset === 2).toBe(true);
    expect([...reader.raw(0, 4)]).toEqual([2, 5, 6, 7]);
    expect(reader.pos).toBe(3);
  });
});

describe("strict", () => {
  const strict = { strict: true };
  test("varints that are not in their shortest form", () => {
    for (const method of [
      "uint32",
      "int32",
      "sint32",
      "uint64",
      "int64",
      "sint64",
      "bool",
      "tag",
      "size",
      "skip",
    ] as const) {
      for (const hex of ["8000", "818000", "ff80808000"]) {
        read(hex, method);
        expect(
          fault(() => read(hex, method, strict)),
          `${method} of ${hex}`,
        ).toEqual({ code: "ERR_NOT_SHORTEST", offset: 0, needMore: 0 });
      }
      for (const hex of ["00", "7f", "8001"]) read(hex, method, strict);
    }
  });

  test("varints that are too large for their type", () => {
    const cases: [Method, string][] = [
      ["uint32", "8080808010"],
      ["uint32", ONES],
      ["int32", "ffffffff0f"],
      ["int32", "ffffffffffffffff7f"],
      ["sint32", ONES],
      ["uint64", "ffffffffffffffffff02"],
      ["int64", "ffffffffffffffffff7f"],
      ["sint64", "80808080808080808002"],
      ["bool", "80808080808080808002"],
      ["skip", "80808080808080808002"],
    ];
    for (const [method, hex] of cases) {
      read(hex, method);
      expect(
        fault(() => read(hex, method, strict)),
        `${method} of ${hex}`,
      ).toEqual({ code: "ERR_OUT_OF_RANGE", offset: 0, needMore: 0 });
    }
  });

  test("negative 32-bit integers have 10 bytes, and are read", () => {
    for (const value of [-1, -2, -128, -2147483648]) {
      const bytes = new Writer().int32(value).finish();
      expect(bytes.length).toBe(10);
      expect(new Reader(bytes, strict).int32()).toBe(value);
    }
    for (const [method, hex] of [
      ["uint64", ONES],
      ["int64", ONES],
      ["sint64", ONES],
      ["uint32", "ffffffff0f"],
      ["tag", "ffffffff0f"],
      ["size", "ffffffff07"],
    ] as const)
      read(hex, method, strict);
  });

  test("malformed text", () => {
    for (const hex of ["01ff", "03eda080", "02c0af", "01c3", `40${"61".repeat(63)}ff`]) {
      read(hex, "string");
      expect(fault(() => read(hex, "string", strict))).toEqual({ code: "ERR_INVALID_UTF8", offset: 1, needMore: 0 });
      expect(fault(() => read(hex, "stringVerify"))).toEqual({ code: "ERR_INVALID_UTF8", offset: 1, needMore: 0 });
    }
  });

  test("in skipped fields and in packed fields too", () => {
    expect(fault(() => new Reader(fromHex("8000"), strict).skipType(0)).code).toBe("ERR_NOT_SHORTEST");
    expect(fault(() => new Reader(fromHex("800061"), strict).skipType(2)).code).toBe("ERR_NOT_SHORTEST");
    expect(fault(() => new Reader(fromHex("028000"), strict).uint32s())).toEqual({
      code: "ERR_NOT_SHORTEST",
      offset: 1,
      needMore: 0,
    });
    expect(fault(() => new Reader(fromHex("088000000c"), strict).skipType(3)).code).toBe("ERR_NOT_SHORTEST");
  });
});
