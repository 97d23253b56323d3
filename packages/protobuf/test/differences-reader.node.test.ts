/**
 * Intended differences between our Reader and protobuf.js's, each shown on both sides. Most are differences from 7.6, where 8.8
 * behaves as ours. Other tests of this folder compare everything else with 8.8; nothing else may differ.
 */

import { fromHex, toHex } from "@moonpack/harness/hex.ts";
import { attach, configure, install, Reader, uninstall } from "@moonpack/protobuf";
import { MoonpackError } from "moonpack/bytes";
import { afterEach, describe, expect, test } from "vitest";
import { acceptOurs, everyWay, Long, originals, protobuf7, protobuf8 } from "./protobufjs.ts";

afterEach(() => configure({ Long: null }));

type Act = (reader: Reader) => unknown;

function outcome(make: () => Reader, act: Act): unknown {
  try {
    const reader = make();
    const value = act(reader);
    return [
      value instanceof Uint8Array
        ? toHex(value)
        : value === reader
          ? "this"
          : typeof value === "object"
            ? String(value)
            : value,
      reader.pos,
    ];
  } catch (error) {
    if (error instanceof MoonpackError) return error.code;
    return error instanceof Error ? error.name : "thrown";
  }
}

/** For 7.6, 8.8 and ours: the value and `pos` afterwards, or the error. */
function resultsOfAll(hex: string, act: Act): unknown[] {
  const bytes = fromHex(hex);
  return [() => new protobuf7.Reader(bytes), () => new protobuf8.Reader(bytes), () => new Reader(bytes)].map((make) =>
    outcome(make, act),
  );
}

describe("as in 8.8, unlike 7.6", () => {
  test("a 64-bit varint that ends after four bytes throws", () => {
    for (const name of ["int64", "uint64"] as const)
      expect(resultsOfAll("80808080", (reader) => reader[name]())).toEqual([["0", 4], "RangeError", "ERR_TRUNCATED"]);
  });

  test("32-bit integers end with their varint; 7.6 skips up to ten bytes", () => {
    expect(resultsOfAll("ffffffffff0105060708", (reader) => reader.uint32())).toEqual([
      [4294967295, 10],
      [4294967295, 6],
      [4294967295, 6],
    ]);
    expect(resultsOfAll("ffffffffff01", (reader) => reader.int32())).toEqual(["RangeError", [-1, 6], [-1, 6]]);
    expect(resultsOfAll("ffffffffffffffffffff01", (reader) => reader.uint32())).toEqual([
      [4294967295, 10],
      "Error",
      "ERR_INVALID_BYTE",
    ]);
  });

  test("a bool is true if any of its bits is set", () => {
    expect(resultsOfAll("808080808001", (reader) => reader.bool())).toEqual(["RangeError", [true, 6], [true, 6]]);
    expect(resultsOfAll("80808080800100000000", (reader) => reader.bool())).toEqual([
      [false, 10],
      [true, 6],
      [true, 6],
    ]);
  });

  test("malformed UTF-8 becomes U+FFFD as WHATWG specifies", () => {
    const cases: [hex: string, seven: string, others: string][] = [
      ["03eda080", "\ud800", "\ufffd\ufffd\ufffd"],
      ["0180", "", "\ufffd"],
      ["02c080", "\ufffd", "\ufffd\ufffd"],
      ["04f8888080", "\ufffd", "\ufffd\ufffd\ufffd\ufffd"],
    ];
    for (const [hex, seven, others] of cases) {
      const end = hex.length / 2;
      expect(
        resultsOfAll(hex, (reader) => reader.string()),
        hex,
      ).toEqual([
        [seven, end],
        [others, end],
        [others, end],
      ]);
    }
  });

  test("text beyond the end throws, in a Buffer too", () => {
    const bytes = Buffer.from("056162", "hex");
    expect(
      outcome(
        () => protobuf7.Reader.create(bytes),
        (reader) => reader.string(),
      ),
    ).toEqual(["ab", 3]);
    expect(
      outcome(
        () => protobuf8.Reader.create(bytes),
        (reader) => reader.string(),
      ),
    ).toBe("RangeError");
    expect(
      outcome(
        () => Reader.create(bytes),
        (reader) => reader.string(),
      ),
    ).toBe("ERR_TRUNCATED");
  });

  test("installed in 7.6, a Buffer that ends inside a string is refused; 7.6 itself returns the shortened string", () => {
    for (const { version, library } of originals) {
      const { root } = library.protobuf.parse('syntax = "proto3"; message Text { string s = 1; }');
      const Text = root.lookupType("Text");
      const read = (hex: string): unknown => {
        try {
          return Text.toObject(Text.decode(Buffer.from(hex, "hex")));
        } catch (error) {
          return String(error);
        }
      };
      const cut = "RangeError: index out of range: 2 + 5 > 4";
      const empty = "RangeError: index out of range: 2 + 5 > 2";
      expect([read("0a056162"), read("0a05")]).toEqual(version === 7 ? [{ s: "ab" }, { s: "" }] : [cut, empty]);
      install(library.protobuf);
      try {
        expect([read("0a056162"), read("0a05")], `installed in ${version}`).toEqual([cut, empty]);
      } finally {
        uninstall(library.protobuf);
      }
    }
  });

  test("empty bytes of a Uint8Array are a Uint8Array; in 7.6 a Buffer", () => {
    const [seven, eight, ours] = [protobuf7.Reader, protobuf8.Reader, Reader].map((Class) =>
      new Class(new Uint8Array(1)).bytes(),
    );
    expect([seven, eight, ours].map((bytes) => [Buffer.isBuffer(bytes), bytes!.length])).toEqual([
      [true, 0],
      [false, 0],
      [false, 0],
    ]);
  });

  test("skipped groups end with their own number and have no field 0", () => {
    expect(resultsOfAll("0b14", (reader) => reader.skipType(reader.uint32() & 7, 0, 1))).toEqual([
      ["this", 2],
      "Error",
      "ERR_INVALID_BYTE",
    ]);
    expect(resultsOfAll("0b130c14", (reader) => reader.skipType(reader.uint32() & 7))).toEqual([
      ["this", 4],
      "Error",
      "ERR_INVALID_BYTE",
    ]);
    expect(resultsOfAll("0b00000c", (reader) => reader.skipType(reader.uint32() & 7))).toEqual([
      ["this", 4],
      "Error",
      "ERR_INVALID_BYTE",
    ]);
  });

  test("arrays of numbers become Uint8Arrays", () => {
    const [seven, eight, ours] = [protobuf7.Reader, protobuf8.Reader, Reader].map((Class) =>
      Class.create([2, 5, 300]).bytes(),
    );
    expect(seven).toEqual([5, 300]);
    expect([toHex(eight!), toHex(ours!)]).toEqual(["052c", "052c"]);
  });

  test("generated code of 7.6 reads with our Reader as with 8.8's", () => {
    const restore = acceptOurs();
    try {
      const leaf = everyWay("everything", "moon.Leaf").filter(({ original }) => original.version === 7);
      expect(leaf.length).toBe(2);
      for (const { message } of leaf) {
        // A varint of six bytes in a 32-bit field, then another field.
        const bytes = fromHex("08ffffffffff01120178");
        const read = (reader: Reader) => ({ ...message.decode(reader) });
        expect(() => read(new protobuf7.Reader(bytes))).toThrow();
        expect(read(new protobuf8.Reader(bytes))).toEqual({ a: -1, b: "x" });
        expect(read(new Reader(bytes))).toEqual({ a: -1, b: "x" });
      }
    } finally {
      restore();
    }
  });
});

describe("unlike 7.6 and 8.8", () => {
  test("new Reader accepts Uint8Arrays and arrays of bytes; theirs accepts every value with a length", () => {
    const list = [5, 1] as unknown as Uint8Array;
    for (const Class of [protobuf7.Reader, protobuf8.Reader, Reader]) {
      expect(new Class(list).uint32()).toBe(5);
      expect(Class.create([5, 1]).uint32()).toBe(5);
    }
    const [made, text] = [{ length: 3 } as Uint8Array, "text" as unknown as Uint8Array];
    const nothing: Act = () => "made";
    for (const { Reader: Original } of originals) {
      expect(outcome(() => new Original(made), nothing)).toEqual(["made", 0]);
      expect(outcome(() => Original.create(text), nothing)).toBe("Error");
    }
    expect(outcome(() => new Reader(made), nothing)).toBe("ERR_INVALID_ARGUMENT");
    expect(outcome(() => Reader.create(text), nothing)).toBe("ERR_INVALID_ARGUMENT");
  });

  test("skip goes back, but not before the first byte, where theirs reads undefined", () => {
    expect(resultsOfAll("01020304", (reader) => reader.skip(3).skip(-2))).toEqual(Array(3).fill(["this", 1]));
    expect(resultsOfAll("01020304", (reader) => reader.skip(-0))).toEqual(Array(3).fill(["this", 0]));
    expect(resultsOfAll("01020304", (reader) => reader.skip(-1))).toEqual([
      ["this", -1],
      ["this", -1],
      "ERR_INVALID_ARGUMENT",
    ]);
    expect(resultsOfAll("01020304", (reader) => reader.skip(Number.NaN))).toEqual([
      ["this", Number.NaN],
      ["this", Number.NaN],
      "ERR_INVALID_ARGUMENT",
    ]);
  });

  test("our class limits groups that our Reader skips, unless installed; theirs limits theirs", () => {
    const nested = (depth: number) => fromHex("a306".repeat(depth) + "a406".repeat(depth));
    const depth = 20;
    const limit = protobuf8.Reader.recursionLimit;
    const [leaf] = everyWay("everything", "moon.Leaf").filter(({ original }) => original.version === 8);
    const decode = (reader: Uint8Array | Reader) => leaf!.message.decode(reader);
    attach(protobuf8.library.protobuf);
    try {
      protobuf8.Reader.recursionLimit = 10;
      expect(() => decode(nested(depth))).toThrow(/depth/);
      expect(decode(new Reader(nested(depth)))).toEqual(decode(new Uint8Array(0)));
      Reader.recursionLimit = 10;
      expect(() => decode(new Reader(nested(depth)))).toThrow(expect.objectContaining({ code: "ERR_LIMIT_DEPTH" }));
    } finally {
      protobuf8.Reader.recursionLimit = limit;
      Reader.recursionLimit = 100;
      uninstall(protobuf8.library.protobuf);
    }
  });

  test("errors have a code and the offset of the item, and `pos` stays there", () => {
    for (const [hex, act] of [
      ["80", (r) => r.uint32()],
      ["0561", (r) => r.string()],
      ["0102", (r) => r.fixed32()],
      ["ffffffffffffffffffff01", (r) => r.int64()],
      ["ffffffff1f", (r) => r.tag()],
    ] as [string, Act][]) {
      const [theirs, ours] = [new protobuf8.Reader(fromHex(hex)), new Reader(fromHex(hex))];
      expect(outcome(() => theirs, act)).toMatch(/^(Range)?Error$/);
      expect(outcome(() => ours, act)).toMatch(/^ERR_/);
      expect(ours.pos, hex).toBe(0);
    }
    const verify = resultsOfAll("01ff", (reader) => (reader.stringVerify ?? reader.string).call(reader));
    expect(verify.slice(1)).toEqual(["TypeError", "ERR_INVALID_UTF8"]);
  });

  test("a malformed packed list leaves `len` as it was; theirs stays at the end of the list", () => {
    for (const method of ["uint32s", "int32s", "sint32s", "bools", "uint64s", "int64s", "sint64s"] as const) {
      const [theirs, ours] = [new protobuf8.Reader(fromHex("0301028005")), new Reader(fromHex("0301028005"))];
      for (const reader of [theirs as unknown as Reader, ours]) expect(() => reader[method](), method).toThrow();
      expect([theirs.len, ours.len, ours.pos], method).toEqual([4, 5, 3]);
    }
  });

  test("64-bit integers are numbers until a Long is configured; theirs looks for npm `long`", () => {
    const big = (reader: Reader) => reader.uint64();
    expect(resultsOfAll("ac02", big)).toEqual([
      ["300", 2],
      ["300", 2],
      [300, 2],
    ]);
    configure({ Long });
    expect(resultsOfAll("ac02", big)).toEqual([
      ["300", 2],
      ["300", 2],
      ["300", 2],
    ]);
  });

  test("a packed field that ends inside an item leaves the list as it was; theirs makes it longer", () => {
    const [theirs, ours]: number[][] = [[1], [1]];
    expect(() => new protobuf8.Reader(fromHex("0900000000000000000a")).doubles(theirs)).toThrow();
    expect(() => new Reader(fromHex("0900000000000000000a")).doubles(ours)).toThrow();
    expect([theirs!.length, ours!.length]).toEqual([2, 1]);
  });
});

describe("faults of the originals' generated code, with our Reader as with theirs", () => {
  const SOURCE = "message Empty {} message One { optional int32 a = 1; } message Maps { map<string, One> m = 1; }";

  /** For 7.6 and 8.8, with their Reader, ours, and ours installed: the message, or the class of the error. */
  function messagesOfAll(type: string, hex: string): unknown[] {
    const bytes = fromHex(hex);
    return originals.flatMap(({ library: { protobuf } }) => {
      const message = protobuf.parse(`syntax = "proto3"; ${SOURCE}`, new protobuf.Root()).root.lookupType(type);
      const decoded = (input: Uint8Array | Reader) => {
        try {
          return message.toObject(message.decode(input as Uint8Array));
        } catch (error) {
          return (error as Error).name;
        }
      };
      const restore = acceptOurs();
      const results = [decoded(bytes), decoded(new Reader(bytes))];
      restore();
      install(protobuf as never);
      results.push(decoded(bytes));
      uninstall(protobuf as never);
      return results;
    });
  }

  test("a group in a type without fields: 8.8's code skips it without its number", () => {
    expect(messagesOfAll("Empty", "0b0c")).toEqual([{}, {}, {}, "Error", "DecodeError", "Error"]);
    expect(messagesOfAll("One", "13080114")).toEqual(new Array(6).fill({}));
  });

  test("an entry of a map without its message: 7.6's code makes it null", () => {
    const entry = { m: { a: {} } };
    expect(messagesOfAll("Maps", "0a030a0161")).toEqual([
      ...new Array(3).fill("TypeError"),
      ...new Array(3).fill(entry),
    ]);
  });
});
