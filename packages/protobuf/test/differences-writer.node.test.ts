/**
 * Intended differences between our Writer and protobuf.js's, each shown on both sides. Other tests of this folder compare
 * everything else; nothing else may differ.
 */

import { toHex } from "@moonpack/harness/hex.ts";
import { Writer } from "@moonpack/protobuf";
import { BufferWriter } from "@moonpack/protobuf/node";
import { MoonpackError } from "moonpack/bytes";
import { describe, expect, test } from "vitest";
import { everyWay, originals, protobuf7, protobuf8 } from "./protobufjs.ts";

type Act = (writer: Writer) => unknown;

/** The bytes that are written, or the error: our code, or "Error: text". */
function outcome(writer: Writer, act: Act): string {
  try {
    act(writer);
    return toHex(writer.finish());
  } catch (error) {
    if (error instanceof MoonpackError) return error.code;
    return error instanceof Error ? error.name : "thrown";
  }
}

/** The results of 7.6 and 8.8, by `new Writer` and by `Writer.create`, which returns Buffers; and the result of ours. */
function resultsOfAll(act: Act): {
  seven: string;
  sevenBuffer: string;
  eight: string;
  eightBuffer: string;
  ours: string;
} {
  return {
    seven: outcome(new protobuf7.Writer(), act),
    sevenBuffer: outcome(protobuf7.Writer.create(), act),
    eight: outcome(new protobuf8.Writer(), act),
    eightBuffer: outcome(protobuf8.Writer.create(), act),
    ours: outcome(new Writer(), act),
  };
}

/** Returns the result of our Writer, which must equal the result of both classes of 8.8. */
function commonResult(act: Act): string {
  const { eight, eightBuffer, ours } = resultsOfAll(act);
  expect([eightBuffer, ours]).toEqual([eight, eight]);
  return ours;
}

function sameTheirs(theirs: string, ours: string): ReturnType<typeof resultsOfAll> {
  return { seven: theirs, sevenBuffer: theirs, eight: theirs, eightBuffer: theirs, ours };
}

const anything = (value: unknown): never => value as never;

describe("text", () => {
  test("a lone surrogate becomes U+FFFD; theirs is invalid UTF-8, except with Buffers from 40 units on", () => {
    for (const [lone, theirs] of [
      ["\ud800", "eda080"],
      ["\udfff", "edbfbf"],
    ] as const) {
      expect(resultsOfAll((writer) => writer.string(lone))).toEqual(sameTheirs(`03${theirs}`, "03efbfbd"));
    }
    for (const [length, prefix] of [
      [60, "3f"],
      [200, "cb01"],
    ] as const) {
      const x = "78".repeat(length);
      const [loose, strict] = [`${prefix}${x}eda080`, `${prefix}${x}efbfbd`];
      expect(resultsOfAll((writer) => writer.string(`${"x".repeat(length)}\ud800`))).toEqual({
        seven: loose,
        sevenBuffer: strict,
        eight: loose,
        eightBuffer: strict,
        ours: strict,
      });
    }
  });

  test("a value without length is empty text, as in 8.8; other values throw with a code", () => {
    for (const value of [5, true, {}, [], () => 1, { length: 0 }]) {
      expect(commonResult((writer) => writer.string(anything(value)))).toBe("00");
      expect(outcome(new Writer({ strict: true }), (writer) => writer.string(anything(value)))).toBe(
        "ERR_UNSUPPORTED_TYPE",
      );
    }
    for (const value of [null, undefined, ["a"], { length: 1 }]) {
      expect(resultsOfAll((writer) => writer.string(anything(value)))).toEqual(
        sameTheirs("TypeError", "ERR_UNSUPPORTED_TYPE"),
      );
    }
  });
});

describe("bytes", () => {
  test("a value with a length is a list, one without is empty, as in 8.8; null and undefined throw with a code", () => {
    for (const [value, bytes] of [
      [5, ""],
      [true, ""],
      [{}, ""],
      [() => 1, ""],
      [new ArrayBuffer(4), ""],
      [new DataView(new ArrayBuffer(4)), ""],
      [new Set([1]), ""],
      [new BigInt64Array(0), ""],
      [{ length: 2, 0: 1, 1: 258 }, "0102"],
      [{ length: "2", 1: "7" }, "0007"],
      [{ length: 1.5, 0: 9 }, "09"],
      [(_: number) => 1, "00"],
    ] as const) {
      const length = (bytes.length / 2).toString(16).padStart(2, "0");
      expect(commonResult((writer) => writer.bytes(anything(value)))).toBe(length + bytes);
      expect(commonResult((writer) => writer.raw(anything(value)))).toBe(bytes);
      for (const name of ["bytes", "raw"] as const) {
        const strict = outcome(new Writer({ strict: true }), (writer) => writer[name](anything(value)));
        expect(strict).toBe(value instanceof BigInt64Array ? (name === "raw" ? "" : "00") : "ERR_UNSUPPORTED_TYPE");
      }
    }
    for (const value of [null, undefined, BigInt64Array.of(1n)]) {
      expect(resultsOfAll((writer) => writer.bytes(anything(value)))).toEqual(
        sameTheirs("TypeError", "ERR_UNSUPPORTED_TYPE"),
      );
      expect(outcome(new protobuf8.Writer(), (writer) => writer.raw(anything(value)))).toBe("TypeError");
      expect(outcome(new Writer(), (writer) => writer.raw(anything(value)))).toBe("ERR_UNSUPPORTED_TYPE");
    }
    expect(resultsOfAll((writer) => writer.bytes(anything({ length: -1 })))).toEqual(
      sameTheirs("RangeError", "ERR_UNSUPPORTED_TYPE"),
    );
  });

  test("text that is not base64 throws with a code; Buffers decode it as theirs do", () => {
    for (const text of ["A", "AQ!D", "AQ ID", "AQID\n", "=", "AQID=", "===="]) {
      const { eight, eightBuffer, ours } = resultsOfAll((writer) => writer.bytes(text));
      expect([eight, ours], text).toEqual(["Error", "ERR_UNSUPPORTED_TYPE"]);
      expect(
        outcome(new BufferWriter(), (writer) => writer.bytes(text)),
        text,
      ).toBe(eightBuffer);
    }
    // With = in the middle, theirs writes the bytes before it, then old bytes of its memory.
    expect(outcome(new Writer(), (writer) => writer.bytes("AQ=IDAQI"))).toBe("ERR_UNSUPPORTED_TYPE");
    expect(outcome(new protobuf8.Writer(), (writer) => writer.bytes("AQ=IDAQI"))).toMatch(/^0601.{10}$/);
    for (const text of ["", "AQID", "AQ", "AQ==", "AQ===", "AQI=", "_-8=", "+/8", "AQIDBAUG"]) {
      commonResult((writer) => writer.bytes(text));
      commonResult((writer) => writer.bytes(anything(new String(text))));
    }
  });

  test("a class with a wrong length: its real bytes; 8.8 adds old bytes of its memory", () => {
    class Lying extends Uint8Array {
      override get length(): number {
        return 4;
      }
    }
    const writing = (writer: { bytes(value: Uint8Array): { finish(): Uint8Array } }) =>
      toHex(writer.bytes(new Lying([7, 8])).finish());
    expect(writing(new Writer())).toBe("020708");
    for (const writer of [new protobuf8.Writer(), protobuf8.Writer.create()]) {
      expect(writing(writer)).toMatch(/^040708....$/);
    }
  });

  test("bigints and symbols as numbers throw with a code; theirs is JavaScript's TypeError", () => {
    for (const name of ["uint32", "int32", "sint32", "fixed32", "sfixed32", "float", "double"] as const) {
      for (const value of [5n, Symbol("s")]) {
        expect(resultsOfAll((writer) => writer[name](anything(value)))).toEqual(
          sameTheirs("TypeError", "ERR_UNSUPPORTED_TYPE"),
        );
      }
    }
    expect(resultsOfAll((writer) => writer.bytes([anything(5n)])).ours).toBe("ERR_UNSUPPORTED_TYPE");
  });

  test("raw treats text as a list of its characters, as 8.8", () => {
    expect(commonResult((writer) => writer.raw(anything("AQ12")))).toBe("00000102");
    expect(outcome(new Writer({ strict: true }), (writer) => writer.raw(anything("AQ12")))).toBe(
      "ERR_UNSUPPORTED_TYPE",
    );
  });
});

describe("64-bit integers", () => {
  test("bigints are written; theirs writes 0", () => {
    for (const name of ["int64", "uint64", "sint64", "fixed64", "sfixed64"] as const) {
      const zero = name.includes("fixed") ? "0".repeat(16) : "00";
      const number = outcome(new Writer(), (writer) => writer[name](5));
      expect(
        resultsOfAll((writer) => writer[name](5n)),
        name,
      ).toEqual(sameTheirs(zero, number));
    }
    expect(outcome(new protobuf8.Writer(), (writer) => writer.int64s([5n, -1n]))).toBe("020000");
    expect(outcome(new Writer(), (writer) => writer.int64s([5n, -1n]))).toBe("0b05ffffffffffffffffff01");
  });

  test("text that is not a decimal integer is parsed as in theirs; where that throws, ours throws with a code", () => {
    for (const text of [
      ..."x|12x| 5|1.5|0x10|1e3|NaN|Infinity|+Infinity|-Infinity|--5|---7|-NaN|-x|+|12345678x|123456789x1|1234567x9".split(
        "|",
      ),
      "-12345678 1234567 x",
      "9".repeat(40),
      `${"9".repeat(12)}.5`,
    ]) {
      for (const name of ["int64", "sint64", "fixed64"] as const) commonResult((writer) => writer[name](text));
      if (/^[-+]?\d+$/.test(text)) continue;
      expect(outcome(new Writer({ strict: true }), (writer) => writer.int64(text))).toBe("ERR_OUT_OF_RANGE");
    }
    for (const text of ["", "-", "1-2", " -5"]) {
      expect(
        resultsOfAll((writer) => writer.int64(text)),
        text,
      ).toEqual(sameTheirs("Error", "ERR_OUT_OF_RANGE"));
    }
  });

  test("a missing word is 0, as in theirs; null and undefined throw with a code", () => {
    for (const value of [
      true,
      {},
      [],
      { high: 0 },
      () => 1,
      { low: 5 },
      { high: 5 },
      { low: "5", high: 0 },
      { low: {} },
    ]) {
      for (const name of ["uint64", "sint64", "sfixed64"] as const)
        commonResult((writer) => writer[name](anything(value)));
      expect(outcome(new Writer({ strict: true }), (writer) => writer.int64(anything(value)))).toBe(
        "ERR_UNSUPPORTED_TYPE",
      );
    }
    for (const value of [null, undefined]) {
      expect(resultsOfAll((writer) => writer.int64(anything(value)))).toEqual(
        sameTheirs("TypeError", "ERR_UNSUPPORTED_TYPE"),
      );
    }
  });

  test("keys of maps as 7.6 decodes them: hashes of Long, which it writes as 0", () => {
    const message = { m_int64: { "\x05\0\0\0\0\0\0\0": { a: 1 } } };
    for (const { message: one, original, name } of everyWay("everything", "moon.Everything")) {
      const theirs = toHex(one.encode(message).finish());
      expect(theirs, name).toBe(original.version === 7 ? "ca0306080012020801" : "ca0306080512020801");
      expect(
        outcome(new Writer(), (writer) => one.encode(message, writer)),
        name,
      ).toBe(theirs);
    }
  });
});

describe("nested messages", () => {
  test("`len` counts all bytes, as in 8.8; 7.6 counts from the last fork", () => {
    const [seven, eight, ours] = [new protobuf7.Writer(), new protobuf8.Writer(), new Writer()].map((writer) => {
      writer.string("text").fork();
      const inside = writer.len;
      writer.bool(true);
      return [inside, writer.len, writer.ldelim().len];
    });
    expect(seven).toEqual([0, 1, 7]);
    expect(eight).toEqual([6, 7, 7]);
    expect(ours).toEqual(eight);
  });

  test("so encodeDelimited of 7.6 right after a fork mistakes that fork for its own, unless the Writer is ours", () => {
    for (const { message, original, name } of everyWay("everything", "moon.Leaf")) {
      const [theirs, ours] = [new original.Writer(), new Writer()].map((writer) => {
        message.encodeDelimited({ a: 5 }, writer.uint32(10).fork());
        return toHex(writer.ldelim().finish());
      });
      expect(ours, name).toBe("0a03020805");
      expect(theirs, name).toBe(original.version === 7 ? "040a020805" : "0a03020805");
    }
  });

  test("finish with open messages: each length is 0; 8.8 has old bytes, 7.6 only the innermost message", () => {
    const open = (writer: Writer) => writer.bool(true).fork().uint32(7).fork().uint32(9);
    expect(toHex(open(new protobuf7.Writer()).finish())).toBe("09");
    const eight = open(new protobuf8.Writer()).finish();
    expect([eight.length, eight[0], eight[2], eight[4]]).toEqual([5, 1, 7, 9]);
    expect(toHex(open(new Writer()).finish())).toBe("0100070009");
  });
});

describe("results", () => {
  test("results are Uint8Arrays; theirs are Buffers if Writer.create made the Writer", () => {
    for (const { Writer: Original } of originals) {
      expect(Buffer.isBuffer(Original.create().bool(true).finish())).toBe(true);
      expect(Buffer.isBuffer(new Original().bool(true).finish())).toBe(false);
    }
    expect(Writer.create().bool(true).finish().constructor).toBe(Uint8Array);
  });

  test("finishInto without room throws with a code before it writes a byte", () => {
    const target = new Uint8Array(5);
    expect(outcome(new protobuf8.Writer(), (writer) => writer.string("text").finishInto(target, 1))).toBe("RangeError");
    expect(outcome(new Writer(), (writer) => writer.string("text").finishInto(target, 1))).toBe("ERR_BUFFER_TOO_SMALL");
    expect([...target]).toEqual([0, 0, 0, 0, 0]);
  });

  test("`pos` is read-only; in 8.8 it is a plain field", () => {
    const eight = new protobuf8.Writer().string("text");
    Object.assign(eight, { pos: 0 });
    expect(toHex(eight.finish())).toBe("");
    expect(() => Object.assign(new Writer(), { pos: 0 })).toThrow(TypeError);
    expect(() => Object.assign(new protobuf8.Writer(), { len: 0 })).toThrow(TypeError);
  });

  test("`buf` is the message, read-only; in 8.8 it is the memory, whose size `initialBufferSize` sets", () => {
    const write = (writer: Writer) => writer.string("x".repeat(300)).fork().uint32(7).fork().uint32(9);
    const [eight, ours] = [new protobuf8.Writer(), new Writer()].map(write);
    expect(ours!.states).toEqual(eight!.states);
    expect(new Writer().states).toEqual([]);
    for (const writer of [eight!, ours!]) writer.ldelim().ldelim();
    expect(toHex(ours!.buf)).toBe(toHex(eight!.buf.subarray(0, eight!.pos)));
    expect([ours!.buf.length, ours!.view, ours!.states]).toEqual([ours!.pos, null, []]);
    expect(eight!.buf.length).toBeGreaterThan(eight!.pos);
    expect("initialBufferSize" in protobuf8.Writer).toBe(true);
    expect("initialBufferSize" in Writer).toBe(false);
    // The typed code of 8's generator accepts our Writer.
    const typed: InstanceType<typeof protobuf8.library.protobuf.Writer> = new Writer();
    expect(typed.len).toBe(0);
  });

  test("alloc returns its own memory, filled with zeros; theirs cuts it from a pool", () => {
    expect(Writer.alloc(16).buffer.byteLength).toBe(16);
    for (const { Writer: Original } of originals) expect(Original.alloc(16).buffer.byteLength).toBe(8192);
  });
});

describe("packed lists", () => {
  test("lists with a negative length or without one are empty", () => {
    for (const name of ["uint32s", "int32s", "sint32s", "int64s", "uint64s", "sint64s"] as const) {
      for (const value of [{ length: -1 }, { length: Number.NaN }, {}, 5, { length: 0 }])
        expect(commonResult((writer) => writer[name](anything(value)))).toBe("00");
      commonResult((writer) => writer[name](anything({ length: "2", 0: 1, 1: 2 })));
      commonResult((writer) => writer[name](anything({ length: 1.5, 0: 1, 1: 2 })));
      const nothing = [new protobuf8.Writer(), new Writer()].map((one) => outcome(one, (w) => w[name](anything(null))));
      expect(nothing).toEqual(["TypeError", "ERR_UNSUPPORTED_TYPE"]);
    }
    // For numbers of fixed size 8.8 moves back over bytes that are written, or to NaN.
    for (const name of ["bools", "fixed32s", "doubles", "fixed64s"] as const) {
      const write = (writer: Writer, value: unknown) => writer.bool(true)[name](anything(value));
      expect(outcome(new Writer(), (writer) => write(writer, { length: -1 }))).toBe("0100");
      expect(outcome(new Writer(), (writer) => write(writer, {}))).toBe("0100");
      expect(write(new protobuf8.Writer(), {}).pos).toBeNaN();
      expect(toHex(write(new protobuf8.Writer(), { length: -1 }).buf.subarray(0, 2))).not.toBe("0100");
    }
  });

  test("an element that writes to the same Writer throws; 8's message is wrong or incomplete", () => {
    /** Calls `call` with a list whose second element writes a field when it is read. */
    const written = (writer: Writer, name: "int32s" | "doubles" | "bools") => {
      const values = [1, 1, 1] as number[] & boolean[];
      Object.defineProperty(values, 1, {
        get() {
          writer.uint32(77);
          return 1;
        },
      });
      writer[name](values);
    };
    for (const [name, eight] of [
      ["int32s", "03010101"],
      ["doubles", "184d0000000000f03f000000000000f03f000000000000f03f00"],
      ["bools", "034d010100"],
    ] as const) {
      expect(outcome(new protobuf8.Writer(), (writer) => written(writer, name))).toBe(eight);
      expect(outcome(new Writer(), (writer) => written(writer, name))).toBe("ERR_INVALID_ARGUMENT");
    }
  });
});
