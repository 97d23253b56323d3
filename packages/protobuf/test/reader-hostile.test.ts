/** Hostile bytes: no read past the end, no endless loop, no allocation by a declared length. */

import { caughtOurs, fault } from "@moonpack/harness/caught.ts";
import { none } from "@moonpack/harness/each.ts";
import { stride } from "@moonpack/harness/effort.ts";
import { fromHex, toHex } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { differ } from "@moonpack/harness/same.ts";
import { Reader } from "@moonpack/protobuf";
import { DecodeError } from "moonpack/bytes";
import { describe, expect, test } from "vitest";
import { INTEGERS64, NUMBERS } from "./model.ts";

const METHODS = [...NUMBERS, ...INTEGERS64, "bool", "string", "stringVerify", "bytes", "tag", "size", "skip"] as const;
const PACKED = [
  ...NUMBERS.map((name) => `${name}s` as const),
  ...INTEGERS64.map((name) => `${name}s` as const),
  "bools",
] as const;
const ALL = [...METHODS, ...PACKED];

function outcome(reader: Reader, method: (typeof ALL)[number]): unknown {
  try {
    const value: unknown = reader[method]();
    return { value: value === reader ? "this" : value, pos: reader.pos };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return { code: error.code, offset: error.offset, needMore: error.needMore };
  }
}

describe("the end", () => {
  test("bytes after `len` are never read", () => {
    const random = randomSource(81);
    for (let i = 0; i < 600; i++) {
      const bytes = Uint8Array.from({ length: 40 }, () => (random(2) === 0 ? random(256) : random(8) | 0x80));
      const len = random(40);
      for (const method of ALL) {
        const whole = new Reader(bytes);
        whole.len = len;
        const cut = new Reader(bytes.slice(0, len));
        none(differ(outcome(whole, method), outcome(cut, method)), `${method} of ${toHex(bytes.subarray(0, len))}`);
      }
    }
  });

  test("every method throws for truncated input, with the offset and the least number of missing bytes", () => {
    const cases: [(typeof ALL)[number], string, number][] = [
      ...METHODS.map((method): [typeof method, string, number] => {
        const size = /fixed32|float/.test(method) ? 4 : /fixed64|double/.test(method) ? 8 : 1;
        return [method, "", size];
      }),
      ["uint32", "80", 1],
      ["int64", "808080", 1],
      ["tag", "80", 1],
      ["size", "ff", 1],
      ["skip", "8080", 1],
      ["bool", "80", 1],
      ["fixed32", "010203", 1],
      ["double", "01020304", 4],
      ["fixed64", "0102030405", 3],
      ["string", "0561", 4],
      ["bytes", "03", 3],
      ["uint32s", "0301", 2],
      ["doubles", "0801", 7],
      ["bools", "", 1],
    ];
    for (const [method, hex, needMore] of cases) {
      expect(
        fault(() => new Reader(fromHex(hex))[method]()),
        `${method} of ${hex}`,
      ).toEqual({ code: "ERR_TRUNCATED", offset: 0, needMore });
      // Inside a message the offset counts from the first byte of the input.
      const reader = new Reader(fromHex(`0102${hex}`));
      reader.pos = 2;
      expect(
        fault(() => reader[method]()),
        `${method} of ${hex}, further on`,
      ).toEqual({ code: "ERR_TRUNCATED", offset: 2, needMore });
    }
  });

  test("an item that ends after its packed field", () => {
    for (const method of ["uint32s", "int64s", "bools", "sint32s"] as const) {
      expect(fault(() => new Reader(fromHex("02018001"))[method]())).toEqual({
        code: "ERR_TRUNCATED",
        offset: 2,
        needMore: 1,
      });
    }
    for (const method of ["fixed32s", "floats", "doubles", "sfixed64s"] as const) {
      expect(fault(() => new Reader(fromHex(`09${"00".repeat(9)}`))[method]()).code, method).toBe("ERR_TRUNCATED");
    }
  });

  test("lengths of up to 4 GiB allocate nothing", () => {
    for (const length of ["ffffffff07", "ffffff7f", "808080807f", "ffffffff0f"]) {
      for (const method of ["string", "stringVerify", "bytes", ...PACKED] as const) {
        const { code } = fault(() => new Reader(fromHex(`${length}6162`))[method]());
        expect(code === "ERR_TRUNCATED" || code === "ERR_INVALID_BYTE", `${method} of ${length}`).toBe(true);
      }
      expect(fault(() => new Reader(fromHex(`${length}6162`)).skipType(2)).offset).toBe(0);
    }
  });

  test("invalid values of `pos` and `len` throw or end at once", () => {
    for (const pos of [5, 1e9, Infinity, Number.NaN, -1, -1e9, 0.5]) {
      for (const method of ALL) {
        const reader = new Reader(new Uint8Array(4));
        reader.pos = pos;
        try {
          reader[method]();
        } catch (error) {
          expect(error, `${method} at ${pos}`).toBeInstanceOf(DecodeError);
        }
      }
    }
    for (const length of [-1, -0.5, Number.NaN, -Infinity]) {
      expect(fault(() => new Reader(new Uint8Array(4)).skip(length))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
    expect(fault(() => new Reader(new Uint8Array(4)).skip(Infinity)).code).toBe("ERR_TRUNCATED");
  });
});

describe("tags and groups", () => {
  test("every tag of two bytes and random bytes after it: each field is skipped or throws", () => {
    const random = randomSource(82);
    for (let tag = 0; tag < 65_536; tag += stride(1) + random(3)) {
      const bytes = Uint8Array.from([tag & 0xff, tag >> 8, ...Array.from({ length: 12 }, () => random(256))]);
      const reader = new Reader(bytes);
      let before = -1;
      try {
        while (reader.pos < reader.len) {
          if (reader.pos <= before) throw new Error(`stays at ${before}: ${toHex(bytes)}`);
          before = reader.pos;
          const read = reader.tag();
          reader.skipType(read & 7, 0, read >>> 3);
        }
        expect(reader.pos).toBe(bytes.length);
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
        if (!(error.offset >= before && error.offset <= bytes.length))
          throw new Error(`offset ${error.offset}: ${toHex(bytes)}`);
      }
    }
  });

  test("unknown wire types, ends of groups that are not open, field 0", () => {
    for (const type of [4, 6, 7, 8, -1, Number.NaN, 1.5]) {
      expect(fault(() => new Reader(new Uint8Array(9)).skipType(type))).toEqual({
        code: "ERR_INVALID_BYTE",
        offset: 0,
        needMore: 0,
      });
    }
    expect(fault(() => new Reader(fromHex("00")).skipType(0, 0, 0)).code).toBe("ERR_INVALID_BYTE");
    expect(fault(() => new Reader(fromHex("0004")).skipType(3, 0, 1))).toEqual({
      code: "ERR_INVALID_BYTE",
      offset: 0,
      needMore: 0,
    });
    expect(fault(() => new Reader(fromHex("0801140c")).skipType(3, 0, 1))).toEqual({
      code: "ERR_INVALID_BYTE",
      offset: 2,
      needMore: 0,
    });
    expect(fault(() => new Reader(fromHex("080113140c".slice(0, 8))).skipType(3, 0, 1)).code).toBe("ERR_TRUNCATED");
    expect(new Reader(fromHex("080113140c")).skipType(3, 0, 1).pos).toBe(5);
    expect(fault(() => new Reader(fromHex("08011314")).skipType(3, 0, 1))).toEqual({
      code: "ERR_TRUNCATED",
      offset: 4,
      needMore: 1,
    });
  });

  test("tags above 32 bits, lengths above 31 bits", () => {
    for (const hex of ["8080808010", "ffffffff1f", "ffffffffff01", "80808080808000"]) {
      expect(
        fault(() => new Reader(fromHex(hex)).tag()),
        hex,
      ).toEqual({ code: "ERR_INVALID_BYTE", offset: 0, needMore: 0 });
    }
    for (const hex of ["8080808008", "ffffffff0f", "ffffffffff01"]) {
      expect(
        fault(() => new Reader(fromHex(hex)).size()),
        hex,
      ).toEqual({ code: "ERR_INVALID_BYTE", offset: 0, needMore: 0 });
    }
    for (const method of ["uint32", "int32", "sint32", "uint64", "int64", "sint64", "bool"] as const) {
      expect(
        fault(() => new Reader(fromHex("ffffffffffffffffffff01"))[method]()),
        method,
      ).toEqual({ code: "ERR_INVALID_BYTE", offset: 0, needMore: 0 });
    }
  });

  test("a megabyte of open groups, and of an endless varint", () => {
    const groups = new Uint8Array(1_000_000).fill(0x0b);
    expect(fault(() => new Reader(groups).skipType(3))).toEqual({ code: "ERR_LIMIT_DEPTH", offset: 101, needMore: 0 });
    const varint = new Uint8Array(1_000_000).fill(0x80);
    expect(fault(() => new Reader(varint).skipType(0)).code).toBe("ERR_TRUNCATED");
    expect(fault(() => new Reader(varint, { strict: true }).skipType(0))).toEqual({
      code: "ERR_INVALID_BYTE",
      offset: 0,
      needMore: 0,
    });
  });
});

describe("arguments", () => {
  test("values that are not a Uint8Array, and invalid options", () => {
    for (const bytes of [
      null,
      undefined,
      5,
      "text",
      {},
      new ArrayBuffer(2),
      new DataView(new ArrayBuffer(2)),
      Uint16Array.of(1),
      { length: 3 },
    ]) {
      expect(fault(() => new Reader(bytes as Uint8Array))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
      expect(fault(() => Reader.create(bytes as Uint8Array))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
    for (const options of [null, 5, { strict: 1 }, { int64: "Long" }, { int64: null }]) {
      expect(fault(() => new Reader(new Uint8Array(1), options as object))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
  });

  test("a Reader continues after an error", () => {
    const reader = new Reader(fromHex("05616207"));
    expect(caughtOurs(() => reader.string()).code).toBe("ERR_TRUNCATED");
    expect(reader.pos).toBe(0);
    reader.pos = 3;
    expect(reader.uint32()).toBe(7);
  });
});
