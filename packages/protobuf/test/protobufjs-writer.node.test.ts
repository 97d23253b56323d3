/** Every member of protobuf.js's Writer, call by call: the same bytes and the same counts as 8.8's, and as 7.6's where it has them. */

import { none } from "@moonpack/harness/each.ts";
import { bytesDiffer, toHex } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { type Int64Input, Writer } from "@moonpack/protobuf";
import { describe, expect, test } from "vitest";
import { INTEGERS64, NUMBERS, type Random, randomBytes, randomInt64, randomNumber, randomText } from "./model.ts";
import { Long, originals, protobuf8 } from "./protobufjs.ts";

/** Values that a number field accepts without an error when types are not checked. */
const LOOSE: readonly unknown[] = [
  Number.NaN,
  Infinity,
  -Infinity,
  -0,
  null,
  undefined,
  true,
  false,
  "5",
  "-5",
  "1.5",
  "",
  "x",
  [],
  [7],
  {},
  1e300,
  -1e300,
  2 ** 53 + 2,
  -(2 ** 63),
  2 ** 63,
  2 ** 64,
  2 ** 64 - 2048,
  -(2 ** 64),
  1e25,
  0.5,
  -0.5,
  4294967295.9,
  -4294967296.5,
  2147483647.5,
  new Date(5),
  new Number(9),
];
/** The same for a 64-bit field. */
const LOOSE64: readonly unknown[] = [
  ...LOOSE.filter((value) => typeof value === "number"),
  "0",
  "-0",
  "18446744073709551615",
  "9223372036854775808",
  "-9223372036854775809",
  "123456789012345678901234567890",
  "+17",
  "000123",
  new String("-77"),
  { low: -1, high: -1 },
  { low: 4294967295, high: 4294967295 },
  { low: 1.7, high: 2 ** 33 },
  { low: Number.NaN, high: 1 },
  Long.MAX_VALUE,
  Long.MIN_VALUE,
  Long.MAX_UNSIGNED_VALUE,
  Long.NEG_ONE,
  Long.fromNumber(-1, true),
];

const METHODS = [...NUMBERS, ...INTEGERS64, "bool", "string", "bytes"] as const;
const PACKED = [...NUMBERS, ...INTEGERS64, "bool"].map((name) => `${name}s`);

function call(writer: Writer, name: string, value: unknown): Writer {
  return (writer as unknown as Record<string, (value: unknown) => Writer>)[name]!(value);
}

function valueFor(name: string, random: Random): unknown {
  if (name === "bool") return random(2) === 0;
  if (name === "string") return randomText(random, random(10) === 0 ? random(9000) : random(150));
  if (name === "bytes") return randomBytes(random, random(10) === 0 ? random(9000) : random(150));
  if ((INTEGERS64 as readonly string[]).includes(name)) {
    const value: Int64Input = randomInt64(random);
    return typeof value === "bigint" ? String(value) : value;
  }
  return randomNumber(random);
}

describe("values", () => {
  test("any value as a number is converted in the same way", () => {
    for (const { version, Writer: Original } of originals) {
      for (const name of NUMBERS) {
        for (const value of LOOSE) {
          const [want, got] = [new Original(), new Writer()].map((writer) => toHex(call(writer, name, value).finish()));
          expect(got, `${version}: ${name}(${String(value)})`).toBe(want);
        }
      }
      for (const name of INTEGERS64) {
        for (const value of LOOSE64) {
          const [want, got] = [new Original(), new Writer()].map((writer) => toHex(call(writer, name, value).finish()));
          expect(got, `${version}: ${name}(${String(value)})`).toBe(want);
        }
      }
      for (const value of [...LOOSE, 1n, 0n]) {
        const [want, got] = [new Original(), new Writer()].map((writer) =>
          toHex(writer.bool(value as boolean).finish()),
        );
        expect(got, `${version}: bool(${String(value)})`).toBe(want);
      }
    }
  });

  test("any value in packed fields is converted as in 8.8", () => {
    for (const name of [...NUMBERS, ...INTEGERS64, "bool"] as const) {
      const is64 = (INTEGERS64 as readonly string[]).includes(name);
      const values = is64 ? LOOSE64 : LOOSE;
      const [want, got] = [new protobuf8.Writer(), new Writer()].map((writer) =>
        toHex(call(writer, `${name}s`, values).finish()),
      );
      expect(got, name).toBe(want);
    }
  });

  test("packed lists of every kind: typed arrays, array-likes, empty ones", () => {
    const lists: ArrayLike<number>[] = [
      [],
      Uint8Array.of(1, 200),
      Int32Array.of(-1, 5),
      Float64Array.of(1.5, -2),
      Int16Array.of(-300, 300),
      { length: 2, 0: 5, 1: -5 },
      { length: 0 },
      Array.from({ length: 127 }, (_, i) => i),
      Array.from({ length: 128 }, (_, i) => -i),
      new Array<number>(3),
    ];
    for (const name of [...NUMBERS, "bool"] as const) {
      for (const list of lists) {
        const [want, got] = [new protobuf8.Writer(), new Writer()].map((writer) =>
          toHex(call(writer, `${name}s`, list).finish()),
        );
        expect(got, `${name}s of ${list.length}`).toBe(want);
      }
    }
  });

  test("bytes of every kind: elements of other arrays, lists, base64", () => {
    const given: unknown[] = [
      [],
      [1, 2, 255],
      [256, -1, 1.9, Number.NaN],
      Uint16Array.of(1, 257, 65535),
      Int8Array.of(-1, 5),
      Float32Array.of(1.5, -1, 300),
      new Uint8ClampedArray([1, 255]),
      Buffer.from("text"),
      Buffer.from("a longer text ".repeat(20)).subarray(7),
      "",
      "AQID",
      "AQI=",
      "AQ==",
      "/+9a",
      "AQI",
      "AQ",
      "QUJD".repeat(100),
      new Uint8Array(300),
      [..."x".repeat(200)].map(() => 7),
      new Array<number>(2),
      ["7", null],
    ];
    for (const { version, Writer: Original } of originals) {
      for (const value of given) {
        const [want, got] = [new Original(), new Writer()].map((writer) =>
          toHex(call(writer, "bytes", value).finish()),
        );
        expect(got, `${version}: ${String(value)}`).toBe(want);
        if (version === 7 || typeof value === "string") continue;
        const [wantRaw, gotRaw] = [new Original(), new Writer()].map((writer) =>
          toHex(call(writer, "raw", value).finish()),
        );
        expect(gotRaw, `raw ${String(value)}`).toBe(wantRaw);
      }
    }
  });

  test("text of every length up to 400, then around longer lengths, with characters of one to four bytes", () => {
    for (const letter of ["x", "é", "日", "😀", "xé", "日x😀"]) {
      for (const length of [
        ...Array(400).keys(),
        5460,
        5461,
        5462,
        8191,
        8192,
        16_383,
        16_384,
        65_535,
        65_536,
        65_537,
        100_000,
      ]) {
        const text = letter.repeat(Math.ceil(length / letter.length));
        const want = protobuf8.Writer.create().string(text).finish();
        none(bytesDiffer(new Writer().string(text).finish(), want), `${length} of ${letter}`);
      }
    }
  });
});

describe("members", () => {
  test("random calls of every method: bytes and pos", () => {
    for (const { version, Writer: Original } of originals) {
      const random = randomSource(51 + version);
      for (let i = 0; i < 120; i++) {
        const [theirs, ours] = [random(2) === 0 ? Original.create() : new Original(), Writer.create()];
        let depth = 0;
        for (let k = random(80); k > 0; k--) {
          const kind = random(12);
          if (kind < 6) {
            const name = METHODS[random(METHODS.length)]!;
            const value = valueFor(name, random);
            expect(call(ours, name, value) === ours).toBe(true);
            call(theirs, name, value);
          } else if (kind < 8 && version === 8) {
            const name = PACKED[random(PACKED.length)]!;
            const values = Array.from({ length: random(30) }, () => valueFor(name.slice(0, -1), random));
            call(theirs, name, values);
            call(ours, name, values);
          } else if (kind === 8 && version === 8) {
            const bytes = randomBytes(random);
            theirs.raw(bytes);
            ours.raw(bytes);
          } else if (kind === 9) {
            theirs.fork();
            ours.fork();
            depth++;
          } else if (kind === 10 && (depth > 0 || random(4) === 0)) {
            theirs.ldelim();
            ours.ldelim();
            depth = Math.max(0, depth - 1);
          } else if (kind === 11 && random(4) === 0) {
            theirs.reset();
            ours.reset();
            depth = Math.max(0, depth - 1);
          }
          if (version === 8 || depth === 0) expect(ours.len).toBe(theirs.len);
          if (version === 8 && depth === 0) {
            expect(ours.pos).toBe(theirs.pos);
            if (random(6) === 0)
              none(bytesDiffer(ours.finish(random(2) === 0), theirs.finish(random(2) === 0)), "in the middle");
          }
        }
        for (; depth > 0; depth--) {
          theirs.ldelim();
          ours.ldelim();
        }
        const want = theirs.finish();
        none(bytesDiffer(ours.finish(), want), `${version}, ${i}`);
        none(bytesDiffer(ours.finish(true), want), `${version}, ${i}, shared`);
        none(bytesDiffer(ours.finish(), want), `${version}, ${i}, again`);
        const target = new Uint8Array(want.length + 2);
        expect(ours.finishInto(target, 2) === target).toBe(true);
        none(bytesDiffer(target.subarray(2), want), "finishInto");
        none(bytesDiffer(ours.finishInto(new Uint8Array(want.length)), want), "finishInto at 0");
      }
    }
  });

  test("create and alloc", () => {
    expect(Writer.create()).toBeInstanceOf(Writer);
    const first = Writer.create();
    expect(Writer.create() === first).toBe(false);
    for (const Class of [Writer, ...originals.map((one) => one.Writer)]) {
      const bytes = Class.alloc(300);
      expect(bytes).toBeInstanceOf(Uint8Array);
      expect(bytes.length).toBe(300);
    }
    expect([...Writer.alloc(5)]).toEqual([0, 0, 0, 0, 0]);
  });

  test("no public member of 8.8 is missing", () => {
    // Except its own fields and helpers, and the settings of the library.
    const inner = ["buf", "view", "states", "constructor", "_reserve", "_delim", "_push", "head", "tail"];
    const statics = ["length", "name", "prototype", "arguments", "caller", "initialBufferSize", "_configure"];
    for (const { Writer: Original } of originals) {
      const theirs = new Original();
      const members = [...Object.keys(theirs), ...Object.getOwnPropertyNames(Original.prototype)];
      const missing = members.filter((name) => !(name in new Writer()) && !inner.includes(name));
      expect(missing).toEqual([]);
      expect(
        Object.getOwnPropertyNames(Original).filter((name) => !(name in Writer) && !statics.includes(name)),
      ).toEqual([]);
    }
  });
});
