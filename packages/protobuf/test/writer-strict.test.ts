/** `strict`: values that would be changed to fit throw. All others are written as without it. */

import { fault } from "@moonpack/harness/caught.ts";
import { none } from "@moonpack/harness/each.ts";
import { bytesDiffer } from "@moonpack/harness/hex.ts";
import { type Int64Input, Writer } from "@moonpack/protobuf";
import { describe, expect, test } from "vitest";
import { INTEGERS64, NUMBERS } from "./model.ts";

/** A class with the fields of Long. */
class Words {
  readonly low: number;
  readonly high: number;
  readonly unsigned: boolean;
  constructor(value: bigint, unsigned: boolean) {
    this.low = Number(BigInt.asIntN(32, value));
    this.high = Number(BigInt.asIntN(32, value >> 32n));
    this.unsigned = unsigned;
  }
}

const RANGES = {
  uint32: [0, 2 ** 32 - 1],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  sint32: [-(2 ** 31), 2 ** 31 - 1],
  fixed32: [0, 2 ** 32 - 1],
  sfixed32: [-(2 ** 31), 2 ** 31 - 1],
} as const;
const INTEGERS = Object.keys(RANGES) as (keyof typeof RANGES)[];
const OUT = { code: "ERR_OUT_OF_RANGE", path: "$" };

function expectSameBytes(write: (writer: Writer) => Writer, what: string): void {
  none(bytesDiffer(write(new Writer({ strict: true })).finish(), write(new Writer()).finish()), what);
}

function expectRefused(write: (writer: Writer) => Writer, what: string): void {
  const writer = new Writer({ strict: true }).bool(true);
  expect(
    fault(() => write(writer)),
    what,
  ).toEqual(OUT);
  expect([...writer.finish()], what).toEqual([1]);
  write(new Writer());
}

describe("strict", () => {
  test("32-bit integers: both ends of the range are written; one more, fractions and NaN throw", () => {
    for (const name of INTEGERS) {
      const [least, most] = RANGES[name];
      for (const value of [least, most, 0, -0, 1, 200, 2 ** 31 - 1]) {
        expectSameBytes((writer) => writer[name](value), `${name} ${value}`);
        expectSameBytes((writer) => writer[`${name}s`]([value, 1]), `${name}s ${value}`);
      }
      for (const value of [least - 1, most + 1, 0.5, most + 0.5, Number.NaN, Infinity, -Infinity, 1e300]) {
        expectRefused((writer) => writer[name](value), `${name} ${value}`);
        expectRefused((writer) => writer[`${name}s`]([1, value]), `${name}s ${value}`);
      }
      for (const value of [null, undefined, true, "x", "", "05", "1.0", " 1", []]) {
        expectRefused((writer) => writer[name](value as unknown as number), `${name} ${String(value)}`);
        expectRefused((writer) => writer[`${name}s`]([1, value as unknown as number]), `${name}s ${String(value)}`);
      }
    }
  });

  test("decimal text within range is accepted: generated code passes the keys of maps as text", () => {
    for (const name of INTEGERS) {
      const [least, most] = RANGES[name];
      for (const value of [least, most, 7]) {
        expectSameBytes((writer) => writer[name](String(value) as unknown as number), `${name} "${value}"`);
        expectSameBytes((writer) => writer[`${name}s`]([String(value) as unknown as number]), `${name}s "${value}"`);
      }
      for (const value of [least - 1, most + 1, 1.5]) {
        expectRefused((writer) => writer[name](String(value) as unknown as number), `${name} "${value}"`);
        expectRefused((writer) => writer[`${name}s`]([1, String(value) as unknown as number]), `${name}s "${value}"`);
      }
    }
  });

  test("64-bit integers in every form", () => {
    for (const name of INTEGERS64) {
      const isSigned = name.includes("s") || name === "int64";
      const [least, most] = isSigned ? [-(1n << 63n), (1n << 63n) - 1n] : [0n, (1n << 64n) - 1n];
      const right: Int64Input[] = [
        least,
        most,
        String(least),
        String(most),
        0,
        -0,
        2 ** 53,
        2 ** 62,
        { low: 5, high: 5 },
        { low: 4294967295, high: 1 },
        { low: -1, high: -1 },
      ];
      for (const value of [
        ...right,
        new Words(least, !isSigned),
        new Words(most, !isSigned),
        new Words(5n, isSigned),
      ]) {
        expectSameBytes((writer) => writer[name](value), `${name} ${String(value)}`);
        expectSameBytes((writer) => writer[`${name}s`]([value]), `${name}s ${String(value)}`);
      }
      const wrong: Int64Input[] = [
        least - 1n,
        most + 1n,
        String(least - 1n),
        String(most + 1n),
        0.5,
        Number.NaN,
        Infinity,
        Number(most) + 1,
        2 ** 64,
        isSigned ? -(2 ** 64) : -1,
      ];
      const words = [
        { low: 0.5, high: 0 },
        { low: 0, high: Number.NaN },
        { low: 2 ** 32, high: 0 },
        { low: 0, high: -(2 ** 31) - 1 },
      ];
      for (const value of [...wrong, ...words, new Words(-1n, isSigned)]) {
        expectRefused((writer) => writer[name](value), `${name} ${String(value)}`);
        expectRefused((writer) => writer[`${name}s`]([1, value]), `${name}s ${String(value)}`);
      }
    }
  });

  test("floats that would become an infinity throw; NaN, infinities and rounded floats are written", () => {
    for (const value of [3.4028234663852886e38, 3.40282356e38, 0.1, 1e-300, Number.NaN, Infinity, -Infinity, -0]) {
      expectSameBytes((writer) => writer.float(value).double(value), String(value));
      expectSameBytes((writer) => writer.floats([value]).doubles([value]), String(value));
    }
    for (const value of [3.4028236e38, -1e39, Number.MAX_VALUE]) {
      expectRefused((writer) => writer.float(value), String(value));
      expectRefused((writer) => writer.floats([1, value]), String(value));
      expectSameBytes((writer) => writer.double(value), String(value));
    }
  });

  test("floats and doubles that are not numbers throw", () => {
    for (const value of [undefined, null, true, "1.5", "", "NaN", {}, [], [1], new Number(1), 5n, Symbol("s")]) {
      // Bigints and symbols throw without `strict` too.
      const expected = /^(bigint|symbol)$/.test(typeof value) ? { ...OUT, code: "ERR_UNSUPPORTED_TYPE" } : OUT;
      for (const name of ["float", "double"] as const) {
        const strict = new Writer({ strict: true }).bool(true);
        expect(
          fault(() => strict[name](value as number)),
          `${name} ${typeof value}`,
        ).toEqual(expected);
        expect(fault(() => strict[`${name}s`]([1, value as number]))).toEqual(expected);
        expect([...strict.finish()]).toEqual([1]);
      }
    }
  });

  test("lone surrogates in text of any length throw", () => {
    for (const around of ["", "x", "é", "x".repeat(50), "日".repeat(500), "x".repeat(70_000)]) {
      for (const lone of ["\ud800", "\udc00", "\ude00\ud83d"]) {
        const writer = new Writer({ strict: true }).bool(true);
        expect(fault(() => writer.string(around + lone + around))).toEqual({ code: "ERR_INVALID_UTF8", path: "$" });
        expect([...writer.finish()]).toEqual([1]);
      }
      expectSameBytes((writer) => writer.string(`${around}😀${around}`), around.slice(0, 9));
    }
  });

  test("without strict, none of these values throws", () => {
    for (const name of NUMBERS)
      for (const value of [1e300, Number.NaN, -1e300, 0.5]) new Writer()[name](value)[`${name}s`]([value]);
  });
});
