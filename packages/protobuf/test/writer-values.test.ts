/** The bytes that each method writes, from the examples and the rules of the specification. */

import { each, equal } from "@moonpack/harness/each.ts";
import { toHex } from "@moonpack/harness/hex.ts";
import { type Int64Input, Writer } from "@moonpack/protobuf";
import { describe, expect, test } from "vitest";

interface Case {
  readonly name: string;
  readonly hex: string;
  write(writer: Writer): Writer;
}

function cases<Value>(
  method: string,
  write: (writer: Writer, value: Value) => Writer,
  ...list: [Value, string][]
): Case[] {
  return list.map(([value, hex]) => ({
    name: `${method} ${String(value)}`,
    hex,
    write: (writer) => write(writer, value),
  }));
}

const ALL_ONES = "ffffffffffffffffff01";
const INT64: [Int64Input, string][] = [
  [0, "00"],
  [1, "01"],
  [-1, ALL_ONES],
  ["-1", ALL_ONES],
  [-1n, ALL_ONES],
  [{ low: -1, high: -1 }, ALL_ONES],
  [{ low: 4294967295, high: 4294967295, unsigned: true }, ALL_ONES],
  [300, "ac02"],
  ["300", "ac02"],
  [300n, "ac02"],
  [{ low: 300, high: 0 }, "ac02"],
  ["9223372036854775807", "ffffffffffffffff7f"],
  [(1n << 63n) - 1n, "ffffffffffffffff7f"],
  [-(1n << 63n), "80808080808080808001"],
  [2 ** 53 - 1, "ffffffffffffff0f"],
  [-(2 ** 53), "80808080808080f0ff01"],
  [4294967296, "8080808010"],
  [-4294967296, "80808080f0ffffffff01"],
  [-2147483648, "80808080f8ffffffff01"],
  [1.9, "01"],
  [-1.9, ALL_ONES],
];

describe("values", () => {
  test("every scalar", () => {
    each(
      [
        ...cases<number>(
          "uint32",
          (w, v) => w.uint32(v),
          [0, "00"],
          [1, "01"],
          [127, "7f"],
          [128, "8001"],
          [150, "9601"],
          [16383, "ff7f"],
          [16384, "808001"],
          [2097151, "ffff7f"],
          [2097152, "80808001"],
          [268435455, "ffffff7f"],
          [268435456, "8080808001"],
          [4294967295, "ffffffff0f"],
        ),
        ...cases<number>(
          "int32",
          (w, v) => w.int32(v),
          [0, "00"],
          [2147483647, "ffffffff07"],
          [-1, ALL_ONES],
          [-2, "feffffffffffffffff01"],
          [-2147483648, "80808080f8ffffffff01"],
        ),
        ...cases<number>(
          "sint32",
          (w, v) => w.sint32(v),
          [0, "00"],
          [-1, "01"],
          [1, "02"],
          [-2, "03"],
          [2147483647, "feffffff0f"],
          [-2147483648, "ffffffff0f"],
        ),
        ...cases<Int64Input>("int64", (w, v) => w.int64(v), ...INT64),
        ...cases<Int64Input>(
          "uint64",
          (w, v) => w.uint64(v),
          ...INT64,
          ["18446744073709551615", ALL_ONES],
          [(1n << 64n) - 1n, ALL_ONES],
        ),
        ...cases<Int64Input>(
          "sint64",
          (w, v) => w.sint64(v),
          [0, "00"],
          [-1, "01"],
          ["1", "02"],
          [-2n, "03"],
          [(1n << 63n) - 1n, "feffffffffffffffff01"],
          [-(1n << 63n), ALL_ONES],
          [{ low: -1, high: -1 }, "01"],
        ),
        ...cases<boolean>("bool", (w, v) => w.bool(v), [true, "01"], [false, "00"]),
        ...cases<number>(
          "fixed32",
          (w, v) => w.fixed32(v),
          [0, "00000000"],
          [1, "01000000"],
          [4294967295, "ffffffff"],
          [0x01020304, "04030201"],
        ),
        ...cases<number>(
          "sfixed32",
          (w, v) => w.sfixed32(v),
          [-1, "ffffffff"],
          [-2147483648, "00000080"],
          [2147483647, "ffffff7f"],
        ),
        ...cases<Int64Input>(
          "fixed64",
          (w, v) => w.fixed64(v),
          [1, "0100000000000000"],
          ["18446744073709551615", "f".repeat(16)],
          [(1n << 63n) + 5n, "0500000000000080"],
          [{ low: 1, high: 2 }, "0100000002000000"],
        ),
        ...cases<Int64Input>(
          "sfixed64",
          (w, v) => w.sfixed64(v),
          [-1, "f".repeat(16)],
          [-2n, "fe" + "ff".repeat(7)],
          ["-9223372036854775808", "0000000000000080"],
        ),
        ...cases<number>(
          "float",
          (w, v) => w.float(v),
          [1, "0000803f"],
          [-0, "00000080"],
          [0.1, "cdcccc3d"],
          [Infinity, "0000807f"],
          [1e39, "0000807f"],
          [1e-45, "01000000"],
          [3.4028235e38, "ffff7f7f"],
        ),
        ...cases<number>(
          "double",
          (w, v) => w.double(v),
          [1, "000000000000f03f"],
          [-0, "0000000000000080"],
          [0.1, "9a9999999999b93f"],
          [-Infinity, "000000000000f0ff"],
          [5e-324, "0100000000000000"],
        ),
        ...cases<string>(
          "string",
          (w, v) => w.string(v),
          ["", "00"],
          ["testing", "0774657374696e67"],
          ["é", "02c3a9"],
          ["日本", "06e697a5e69cac"],
          ["😀", "04f09f9880"],
          ["\0", "0100"],
          ["\ufeff", "03efbbbf"],
        ),
        ...cases<Uint8Array | readonly number[] | string>(
          "bytes",
          (w, v) => w.bytes(v),
          [new Uint8Array(0), "00"],
          [Uint8Array.of(1, 2), "020102"],
          [[255, 0, 256, -1], "04ff0000ff"],
          ["", "00"],
          ["AQI=", "020102"],
          ["AQI", "020102"],
          ["_-8", "02ffef"],
          ["/+8=", "02ffef"],
        ),
        ...cases<Uint8Array | readonly number[]>(
          "raw",
          (w, v) => w.raw(v),
          [new Uint8Array(0), ""],
          [Uint8Array.of(1, 2), "0102"],
          [[3, 4], "0304"],
        ),
        ...cases<number[]>(
          "int32s",
          (w, v) => w.int32s(v),
          [[], "00"],
          [[3, 270, 86942], "06038e029ea705"],
          [[-1], "0a" + ALL_ONES],
        ),
        ...cases<boolean[]>("bools", (w, v) => w.bools(v), [[], "00"], [[true, false], "020100"]),
        ...cases<number[]>("doubles", (w, v) => w.doubles(v), [[], "00"], [[1], "08000000000000f03f"]),
        ...cases<Int64Input[]>(
          "sfixed64s",
          (w, v) => w.sfixed64s(v),
          [[], "00"],
          [[-1, 1n], "10" + "f".repeat(16) + "0100000000000000"],
        ),
      ],
      ({ hex, write }) => equal(toHex(write(new Writer()).finish()), hex),
    );
  });

  test("NaN is written as a NaN", () => {
    const bytes = new Writer().float(Number.NaN).double(Number.NaN).finish();
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    expect([view.getFloat32(0, true), view.getFloat64(4, true)]).toEqual([Number.NaN, Number.NaN]);
  });

  test("lone surrogates become U+FFFD, in text of any length", () => {
    for (const around of ["", "x", "é", "x".repeat(50), "日".repeat(500), "x".repeat(70_000)]) {
      for (const lone of ["\ud800", "\udc00", "\ud83d\ud83d"]) {
        const want = new Writer().string(around + "\ufffd".repeat(lone.length) + around).finish();
        expect(toHex(new Writer().string(around + lone + around).finish()) === toHex(want)).toBe(true);
      }
    }
  });

  test("a message written by hand, with emoji", () => {
    const text = "Grüße, 世界! 👩‍👩‍👧‍👦 🇩🇪 👍🏽 — ok\n";
    const bytes = new Writer()
      .uint32(10)
      .string(text)
      .uint32(16)
      .int32(-1)
      .uint32(26)
      .fork()
      .uint32(10)
      .string("🎉")
      .ldelim()
      .finish();
    const utf8 =
      "4772c3bcc39f652c20e4b896e7958c2120f09f91a9e2808df09f91a9e2808df09f91a7e2808df09f91a620f09f87a9f09f87aa20f09f918df09f8fbd20e28094206f6b0a";
    expect(toHex(bytes)).toBe(`0a${(utf8.length / 2).toString(16)}${utf8}10${ALL_ONES}1a060a04f09f8e89`);
  });
});
