/**
 * Where our Writer differs from protobuf.js's on purpose, each shown on both sides. Other tests of this folder compare all the
 * rest; nothing else may differ.
 */
import { MoonpackError } from "moonpack/bytes";
import { Writer } from "moonpack/protobuf";
import { describe, expect, test } from "vitest";
import { toHex } from "../harness/hex.ts";
import { everyWay, originals, protobuf7, protobuf8 } from "./originals.ts";

type Act = (writer: Writer) => unknown;

/** The bytes that are written, or what is thrown: our code, or "Error: text". */
function outcome(writer: Writer, act: Act): string {
  try {
    act(writer);
    return toHex(writer.finish());
  } catch (error) {
    if (error instanceof MoonpackError) return error.code;
    return error instanceof Error ? error.name : "thrown";
  }
}

/** What 7.6 and 8.8 do, each by `new Writer` and by `Writer.create`, which is for Buffers; and what ours does. */
function sides(act: Act): { seven: string; sevenBuffer: string; eight: string; eightBuffer: string; ours: string } {
  return {
    seven: outcome(new protobuf7.Writer(), act),
    sevenBuffer: outcome(protobuf7.Writer.create(), act),
    eight: outcome(new protobuf8.Writer(), act),
    eightBuffer: outcome(protobuf8.Writer.create(), act),
    ours: outcome(new Writer(), act),
  };
}

function all(theirs: string, ours: string): ReturnType<typeof sides> {
  return { seven: theirs, sevenBuffer: theirs, eight: theirs, eightBuffer: theirs, ours };
}

const anything = (value: unknown): never => value as never;

describe("text", () => {
  test("a lone surrogate is U+FFFD; theirs is a sequence that no UTF-8 has, but from 40 units on by Buffers", () => {
    for (const [lone, theirs] of [
      ["\ud800", "eda080"],
      ["\udfff", "edbfbf"],
    ] as const) {
      expect(sides((writer) => writer.string(lone))).toEqual(all(`03${theirs}`, "03efbfbd"));
    }
    for (const [length, prefix] of [
      [60, "3f"],
      [200, "cb01"],
    ] as const) {
      const x = "78".repeat(length);
      const [loose, strict] = [`${prefix}${x}eda080`, `${prefix}${x}efbfbd`];
      expect(sides((writer) => writer.string(`${"x".repeat(length)}\ud800`))).toEqual({
        seven: loose,
        sevenBuffer: strict,
        eight: loose,
        eightBuffer: strict,
        ours: strict,
      });
    }
  });

  test("what is no string is refused; theirs writes an empty one, or throws a TypeError", () => {
    for (const value of [5, true, {}, Object("x").length]) {
      expect(sides((writer) => writer.string(anything(value)))).toEqual({
        seven: "00",
        sevenBuffer: "TypeError",
        eight: "00",
        eightBuffer: "00",
        ours: "ERR_UNSUPPORTED_TYPE",
      });
    }
    for (const value of [null, undefined]) {
      expect(sides((writer) => writer.string(anything(value)))).toEqual(all("TypeError", "ERR_UNSUPPORTED_TYPE"));
    }
  });
});

describe("bytes", () => {
  test("what has no bytes is refused; theirs writes none", () => {
    for (const value of [5, true, {}, new ArrayBuffer(4), new DataView(new ArrayBuffer(4)), new Set([1])]) {
      expect(sides((writer) => writer.bytes(anything(value)))).toEqual(all("00", "ERR_UNSUPPORTED_TYPE"));
      expect(outcome(new protobuf8.Writer(), (writer) => writer.raw(anything(value)))).toBe("");
      expect(outcome(new Writer(), (writer) => writer.raw(anything(value)))).toBe("ERR_UNSUPPORTED_TYPE");
    }
    for (const value of [null, undefined]) {
      expect(sides((writer) => writer.bytes(anything(value)))).toEqual(all("TypeError", "ERR_UNSUPPORTED_TYPE"));
    }
    expect(sides((writer) => writer.bytes(anything(BigInt64Array.of(1n))))).toEqual(
      all("TypeError", "ERR_UNSUPPORTED_TYPE"),
    );
  });

  test("objects that only look like lists are refused; theirs takes them", () => {
    expect(sides((writer) => writer.bytes({ length: 2, 0: 1, 1: 2 }))).toEqual(all("020102", "ERR_UNSUPPORTED_TYPE"));
  });

  test("text that is not base64 is refused; theirs throws, or guesses by Buffers", () => {
    for (const text of ["A", "AQ!D", "AQ ID", "AQID\n", "=", "AQID="]) {
      const { eight, eightBuffer, sevenBuffer, ours } = sides((writer) => writer.bytes(text));
      expect([eight, ours], text).toEqual(["Error", "ERR_UNSUPPORTED_TYPE"]);
      const guessed = Buffer.from(text, "base64");
      expect([eightBuffer, sevenBuffer], text).toEqual(Array(2).fill(toHex(Buffer.from([guessed.length, ...guessed]))));
    }
    // Too much padding: 7's own decoder takes it for bytes, 8's does not.
    expect(sides((writer) => writer.bytes("AQ==="))).toEqual({
      seven: "03010000",
      sevenBuffer: "0101",
      eight: "0101",
      eightBuffer: "0101",
      ours: "ERR_UNSUPPORTED_TYPE",
    });
    // The alphabet for addresses is new in 8.
    expect(sides((writer) => writer.bytes("_-8="))).toEqual({
      seven: "Error",
      sevenBuffer: "02ffef",
      eight: "02ffef",
      eightBuffer: "02ffef",
      ours: "02ffef",
    });
  });

  test("raw takes base64 too; 8.8 writes digits of the text as numbers, and 0 for the rest", () => {
    expect(outcome(new protobuf8.Writer(), (writer) => writer.raw(anything("AQ12")))).toBe("00000102");
    expect(outcome(new Writer(), (writer) => writer.raw(anything("AQ12")))).toBe("010d76");
  });
});

describe("64-bit integers", () => {
  test("a bigint is written; theirs writes 0", () => {
    for (const name of ["int64", "uint64", "sint64", "fixed64", "sfixed64"] as const) {
      const zero = name.includes("fixed") ? "0".repeat(16) : "00";
      const number = outcome(new Writer(), (writer) => writer[name](5));
      expect(
        sides((writer) => writer[name](5n)),
        name,
      ).toEqual(all(zero, number));
    }
    expect(outcome(new protobuf8.Writer(), (writer) => writer.int64s([5n, -1n]))).toBe("020000");
    expect(outcome(new Writer(), (writer) => writer.int64s([5n, -1n]))).toBe("0b05ffffffffffffffffff01");
  });

  test("text that is no decimal integer is refused; theirs writes what digits it begins with, or 0", () => {
    for (const [text, theirs] of [
      ["x", "00"],
      ["12x", "0c"],
      [" 5", "05"],
      ["1.5", "01"],
      ["0x10", "00"],
      ["1e3", "01"],
      ["NaN", "00"],
      ["Infinity", "00"],
    ] as const) {
      expect(
        sides((writer) => writer.int64(text)),
        text,
      ).toEqual(all(theirs, "ERR_OUT_OF_RANGE"));
    }
    for (const text of ["", "-"])
      expect(
        sides((writer) => writer.int64(text)),
        text,
      ).toEqual(all("Error", "ERR_OUT_OF_RANGE"));
  });

  test("what has no two words is refused; theirs takes what is missing for 0", () => {
    for (const value of [true, {}, [], { high: 0 }, () => 1]) {
      expect(sides((writer) => writer.int64(anything(value)))).toEqual(all("00", "ERR_UNSUPPORTED_TYPE"));
    }
    expect(sides((writer) => writer.int64(anything({ low: 5 })))).toEqual(all("05", "ERR_UNSUPPORTED_TYPE"));
    expect(sides((writer) => writer.int64(anything({ low: "5", high: 0 })))).toEqual(all("05", "ERR_UNSUPPORTED_TYPE"));
    for (const value of [null, undefined]) {
      expect(sides((writer) => writer.int64(anything(value)))).toEqual(all("TypeError", "ERR_UNSUPPORTED_TYPE"));
    }
  });

  test("keys of maps as 7.6 has them once they were decoded: a hash of the Long, of which it writes 0", () => {
    const message = { m_int64: { "\x05\0\0\0\0\0\0\0": { a: 1 } } };
    for (const { message: one, original, name } of everyWay("everything", "moon.Everything")) {
      const theirs = toHex(one.encode(message).finish());
      expect(theirs, name).toBe(original.version === 7 ? "ca0306080012020801" : "ca0306080512020801");
      expect(
        outcome(new Writer(), (writer) => one.encode(message, writer)),
        name,
      ).toBe(original.version === 7 ? "ERR_OUT_OF_RANGE" : theirs);
    }
  });
});

describe("nested messages", () => {
  test("`len` counts all that is written, as in 8.8; 7.6 counts from the last fork", () => {
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

  test("so 7.6's encodeDelimited right behind a fork takes the fork for its own, unless the Writer is ours", () => {
    for (const { message, original, name } of everyWay("everything", "moon.Leaf")) {
      const [theirs, ours] = [new original.Writer(), new Writer()].map((writer) => {
        message.encodeDelimited({ a: 5 }, writer.uint32(10).fork());
        return toHex(writer.ldelim().finish());
      });
      expect(ours, name).toBe("0a03020805");
      expect(theirs, name).toBe(original.version === 7 ? "040a020805" : "0a03020805");
    }
  });

  test("finish with open messages: a 0 for each length; 8.8 has what was there before, 7.6 the innermost alone", () => {
    const open = (writer: Writer) => writer.bool(true).fork().uint32(7).fork().uint32(9);
    expect(toHex(open(new protobuf7.Writer()).finish())).toBe("09");
    const eight = open(new protobuf8.Writer()).finish();
    expect([eight.length, eight[0], eight[2], eight[4]]).toEqual([5, 1, 7, 9]);
    expect(toHex(open(new Writer()).finish())).toBe("0100070009");
  });
});

describe("results", () => {
  test("are Uint8Arrays; theirs are Buffers where Writer.create made the Writer", () => {
    for (const { Writer: Original } of originals) {
      expect(Buffer.isBuffer(Original.create().bool(true).finish())).toBe(true);
      expect(Buffer.isBuffer(new Original().bool(true).finish())).toBe(false);
    }
    expect(Writer.create().bool(true).finish().constructor).toBe(Uint8Array);
  });

  test("finishInto without room, by a code and before a byte is written", () => {
    const target = new Uint8Array(5);
    expect(outcome(new protobuf8.Writer(), (writer) => writer.string("text").finishInto(target, 1))).toBe("RangeError");
    expect(outcome(new Writer(), (writer) => writer.string("text").finishInto(target, 1))).toBe("ERR_BUFFER_TOO_SMALL");
    expect([...target]).toEqual([0, 0, 0, 0, 0]);
  });

  test("`pos` may not be set; 8.8 has a plain field there, and `buf`, `view` and `states` of its own", () => {
    const eight = new protobuf8.Writer().string("text");
    Object.assign(eight, { pos: 0 });
    expect(toHex(eight.finish())).toBe("");
    expect(() => Object.assign(new Writer(), { pos: 0 })).toThrow(TypeError);
    expect(() => Object.assign(new protobuf8.Writer(), { len: 0 })).toThrow(TypeError);
  });

  test("alloc gives memory of its own, and zeros; theirs cuts it from a pool", () => {
    expect(Writer.alloc(16).buffer.byteLength).toBe(16);
    for (const { Writer: Original } of originals) expect(Original.alloc(16).buffer.byteLength).toBe(8192);
  });
});

describe("packed lists", () => {
  test("an element that writes to the same Writer is refused; 8's message is garbled, or lacks what was written", () => {
    /** `call` of a list whose second element writes a field when it is asked for. */
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
