/** `strict`: what would be changed to fit is refused, all else is written as without it. */
import { type Int64Input, Writer } from "moonpack/protobuf";
import { describe, expect, test } from "vitest";
import { fault } from "../harness/caught.ts";
import { none } from "../harness/each.ts";
import { bytesDiffer } from "../harness/hex.ts";
import { INTEGERS64, NUMBERS } from "./model.ts";

/** A class as Long is: words, and whether they are without sign. */
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

function same(write: (writer: Writer) => Writer, what: string): void {
  none(bytesDiffer(write(new Writer({ strict: true })).finish(), write(new Writer()).finish()), what);
}

function refused(write: (writer: Writer) => Writer, what: string): void {
  const writer = new Writer({ strict: true }).bool(true);
  expect(
    fault(() => write(writer)),
    what,
  ).toEqual(OUT);
  expect([...writer.finish()], what).toEqual([1]);
  write(new Writer());
}

describe("strict", () => {
  test("integers of 32 bits: both ends are written, one more is refused, so are fractions and NaN", () => {
    for (const name of INTEGERS) {
      const [least, most] = RANGES[name];
      for (const value of [least, most, 0, -0, 1, 200, 2 ** 31 - 1]) {
        same((writer) => writer[name](value), `${name} ${value}`);
        same((writer) => writer[`${name}s`]([value, 1]), `${name}s ${value}`);
      }
      for (const value of [least - 1, most + 1, 0.5, most + 0.5, Number.NaN, Infinity, -Infinity, 1e300]) {
        refused((writer) => writer[name](value), `${name} ${value}`);
        refused((writer) => writer[`${name}s`]([1, value]), `${name}s ${value}`);
      }
      for (const value of [null, undefined, true, "x", "", "05", "1.0", " 1", []]) {
        refused((writer) => writer[name](value as unknown as number), `${name} ${String(value)}`);
        refused((writer) => writer[`${name}s`]([1, value as unknown as number]), `${name}s ${String(value)}`);
      }
    }
  });

  test("decimal text within range is the key of a map, as generated code passes it", () => {
    for (const name of INTEGERS) {
      const [least, most] = RANGES[name];
      for (const value of [least, most, 7]) {
        same((writer) => writer[name](String(value) as unknown as number), `${name} "${value}"`);
        same((writer) => writer[`${name}s`]([String(value) as unknown as number]), `${name}s "${value}"`);
      }
      for (const value of [least - 1, most + 1, 1.5]) {
        refused((writer) => writer[name](String(value) as unknown as number), `${name} "${value}"`);
        refused((writer) => writer[`${name}s`]([1, String(value) as unknown as number]), `${name}s "${value}"`);
      }
    }
  });

  test("integers of 64 bits, in every form", () => {
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
        same((writer) => writer[name](value), `${name} ${String(value)}`);
        same((writer) => writer[`${name}s`]([value]), `${name}s ${String(value)}`);
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
        refused((writer) => writer[name](value), `${name} ${String(value)}`);
        refused((writer) => writer[`${name}s`]([1, value]), `${name}s ${String(value)}`);
      }
    }
  });

  test("floats: what would become an infinity; NaN, infinities and what is rounded are written", () => {
    for (const value of [3.4028234663852886e38, 3.40282356e38, 0.1, 1e-300, Number.NaN, Infinity, -Infinity, -0]) {
      same((writer) => writer.float(value).double(value), String(value));
      same((writer) => writer.floats([value]).doubles([value]), String(value));
    }
    for (const value of [3.4028236e38, -1e39, Number.MAX_VALUE]) {
      refused((writer) => writer.float(value), String(value));
      refused((writer) => writer.floats([1, value]), String(value));
      same((writer) => writer.double(value), String(value));
    }
  });

  test("what is no number is no float and no double", () => {
    for (const value of [undefined, null, true, "1.5", "", "NaN", {}, [], [1], new Number(1), 5n, Symbol("s")]) {
      // Bigints and symbols are refused without `strict`, too.
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

  test("lone surrogates, in texts of any length", () => {
    for (const around of ["", "x", "é", "x".repeat(50), "日".repeat(500), "x".repeat(70_000)]) {
      for (const lone of ["\ud800", "\udc00", "\ude00\ud83d"]) {
        const writer = new Writer({ strict: true }).bool(true);
        expect(fault(() => writer.string(around + lone + around))).toEqual({ code: "ERR_INVALID_UTF8", path: "$" });
        expect([...writer.finish()]).toEqual([1]);
      }
      same((writer) => writer.string(`${around}😀${around}`), around.slice(0, 9));
    }
  });

  test("without it, none of all that throws", () => {
    for (const name of NUMBERS)
      for (const value of [1e300, Number.NaN, -1e300, 0.5]) new Writer()[name](value)[`${name}s`]([value]);
  });
});
