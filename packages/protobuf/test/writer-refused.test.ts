/** Values for which a Writer throws with a code. The message stays as it was. */

import { caught, fault } from "@moonpack/harness/caught.ts";
import { toHex } from "@moonpack/harness/hex.ts";
import { Writer } from "@moonpack/protobuf";
import { describe, expect, test } from "vitest";

describe("invalid values throw with a code, and the message stays as it was", () => {
  const values: readonly unknown[] = [5, null, undefined, true, {}, [], Symbol("s"), 5n, () => "x", new Uint8Array(2)];
  type Refusal = readonly [name: string, write: (writer: Writer) => unknown, code: string];
  const refusals: readonly Refusal[] = [
    ...values.map((value): Refusal => ["string", (writer) => writer.string(value as string), "ERR_UNSUPPORTED_TYPE"]),
    ...[
      5,
      null,
      undefined,
      true,
      {},
      { length: 2 },
      new ArrayBuffer(4),
      new DataView(new ArrayBuffer(4)),
      new Set([1]),
      BigInt64Array.of(1n),
      BigUint64Array.of(1n),
      "A",
      "A===",
      "AQ!D",
      "AQ ID",
      "=",
      "A=ID",
      "AQID=",
      "==",
      "é",
      "AQID\n",
    ].flatMap((value) =>
      ["bytes", "raw"].map(
        (name): Refusal => [name, (writer) => writer[name as "raw"](value as number[]), "ERR_UNSUPPORTED_TYPE"],
      ),
    ),
    ...[null, undefined, true, Symbol("s"), {}, { low: 1 }, { high: 1 }, { low: "1", high: 0 }, [], () => 1].flatMap(
      (value) =>
        (["int64", "uint64", "sint64", "fixed64", "sfixed64"] as const).map(
          (name): Refusal => [name, (writer) => writer[name](value as number), "ERR_UNSUPPORTED_TYPE"],
        ),
    ),
    ...["", "-", "x", "1x", "0x10", "1.5", "1e3", " 1", "1 ", "NaN", "Infinity", "--1", "9".repeat(100) + "x"].map(
      (value): Refusal => ["int64", (writer) => writer.int64(value), "ERR_OUT_OF_RANGE"],
    ),
  ];
  const numeric = ["uint32", "int32", "sint32", "fixed32", "sfixed32", "float", "double"] as const;
  const notNumbers = [5n, Symbol("s")].flatMap((value) => [
    ...numeric.flatMap((name): Refusal[] => [
      [name, (writer) => writer[name](value as never), "ERR_UNSUPPORTED_TYPE"],
      [`${name}s`, (writer) => writer[`${name}s`]([1, value] as never), "ERR_UNSUPPORTED_TYPE"],
    ]),
    ...(["bytes", "raw"] as const).map(
      (name): Refusal => [name, (writer) => writer[name]([1, value] as never), "ERR_UNSUPPORTED_TYPE"],
    ),
  ]);
  // Values that protobuf.js converts throw only with `strict`.
  const always: readonly Refusal[] = [
    ...notNumbers,
    ["int64", (writer) => writer.int64({ low: 1n, high: Symbol("s") } as never), "ERR_UNSUPPORTED_TYPE"],
    ...[null, undefined, ["text"], new Uint8Array(2), { length: 1 }].map(
      (value): Refusal => ["string", (writer) => writer.string(value as never), "ERR_UNSUPPORTED_TYPE"],
    ),
    ...[null, undefined, BigInt64Array.of(1n), BigUint64Array.of(1n), { length: -1 }, { length: 2 ** 31 }].flatMap(
      (value) =>
        (["bytes", "raw"] as const).map(
          (name): Refusal => [name, (writer) => writer[name](value as never), "ERR_UNSUPPORTED_TYPE"],
        ),
    ),
    ...["A", "A===", "AQ!D", "AQ ID", "=", "A=ID", "AQID=", "==", "é", "AQID\n"].map(
      (value): Refusal => ["bytes", (writer) => writer.bytes(value), "ERR_UNSUPPORTED_TYPE"],
    ),
    ...[null, undefined].map(
      (value): Refusal => ["int64", (writer) => writer.int64(value as never), "ERR_UNSUPPORTED_TYPE"],
    ),
    ...["", "-", "1-", " -1"].map((value): Refusal => ["int64", (writer) => writer.int64(value), "ERR_OUT_OF_RANGE"]),
    ...[null, undefined].map(
      (value): Refusal => ["bools", (writer) => writer.bools(value as never), "ERR_UNSUPPORTED_TYPE"],
    ),
  ];
  for (const [strict, all] of [
    [true, [...refusals, ...always]],
    [false, always],
  ] as const) {
    test(`each value${strict ? ", strict" : ""}`, () => {
      all.forEach(([name, write, code], i) => {
        const writer = new Writer({ strict }).string("before").fork();
        const seen = fault(() => write(writer));
        expect(seen, `${name}, ${i}`).toEqual({ code, path: "$" });
        expect(toHex(writer.bool(true).ldelim().finish()), `${name}, ${i}`).toBe("066265666f72650101");
      });
    });
  }

  test("a class with a wrong length: its real bytes, never bytes of another message", () => {
    class Lying extends Uint8Array {
      override get length(): number {
        return 5;
      }
    }
    const secret = new Writer().string("secret");
    secret.finish();
    for (const name of ["bytes", "raw"] as const) {
      const written = (value: Uint8Array) => toHex(new Writer()[name](value).bool(true).finish());
      expect(written(new Lying([7, 8]))).toBe(written(Uint8Array.of(7, 8)));
      expect(written(new Lying([1, 2, 3, 4, 5, 6, 7]))).toBe(written(Uint8Array.of(1, 2, 3, 4, 5, 6, 7)));
      const fake = Object.create(Uint8Array.prototype) as Uint8Array;
      expect(() => new Writer({ strict: true })[name](fake)).toThrow();
    }
  });

  test("a target without room, invalid options", () => {
    const writer = new Writer().string("text");
    for (const [size, offset] of [
      [4, 0],
      [5, 1],
      [5, -1],
      [9, 5],
      [9, Number.NaN],
      [0, 0],
    ] as const) {
      expect(fault(() => writer.finishInto(new Uint8Array(size), offset))).toEqual({ code: "ERR_BUFFER_TOO_SMALL" });
    }
    for (const target of [null, undefined, 5, [], new ArrayBuffer(9)]) {
      expect(fault(() => writer.finishInto(target as never))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
    for (const offset of ["x", "1", null, {}, 1n]) {
      const act = () => writer.finishInto(new Uint8Array(9), offset as never);
      expect(fault(act)).toEqual({ code: "ERR_INVALID_ARGUMENT" });
      expect(act).toThrow("offset must be a number, not ");
    }
    for (const options of [null, 5, "strict", { strict: 1 }, { strict: "true" }]) {
      expect(fault(() => new Writer(options as object))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
    for (const options of [undefined, {}, { strict: undefined }, { strict: false }]) new Writer(options as object);
  });

  test("strict: texts name the range of an integer type", () => {
    const texts: readonly (readonly [(writer: Writer) => unknown, string])[] = [
      [(writer) => writer.uint32(-1), "-1 is not a valid uint32 (0 to 2^32 - 1)"],
      [(writer) => writer.fixed32(0.5), "0.5 is not a valid fixed32 (0 to 2^32 - 1)"],
      [(writer) => writer.sint32(2 ** 31), "2147483648 is not a valid sint32 (-2^31 to 2^31 - 1)"],
      [(writer) => writer.uint64(-1n), "-1 is not a valid uint64 (0 to 2^64 - 1)"],
      [(writer) => writer.sfixed64(2 ** 63), "9223372036854776000 is not a valid int64 (-2^63 to 2^63 - 1)"],
    ];
    for (const [write, text] of texts) {
      expect((caught(() => write(new Writer({ strict: true }))) as Error).message).toBe(`${text} (at $)`);
    }
  });
});
