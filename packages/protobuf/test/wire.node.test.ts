/** The interface of `@bufbuild/protobuf/wire`, compared with the original call by call. */
import * as theirs from "@bufbuild/protobuf/wire";
import * as ours from "@moonpack/protobuf/wire";
import fc from "fast-check";
import { DecodeError, MoonpackError } from "moonpack/bytes";
import { describe, expect, test } from "vitest";

type Call = readonly [name: string, ...values: unknown[]];

const small = fc.integer({ min: 0, max: 0xffffffff });
const signed = fc.integer({ min: -0x80000000, max: 0x7fffffff });
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const forms = (value: fc.Arbitrary<bigint>) =>
  fc.oneof(value, value.map(String), fc.maxSafeNat(), fc.constantFrom("0", "1", 0, 1n));
const call: fc.Arbitrary<Call> = fc.oneof(
  fc.tuple(fc.constantFrom("uint32", "fixed32"), small),
  fc.tuple(fc.constantFrom("int32", "sint32", "sfixed32"), signed),
  fc.tuple(fc.constantFrom("int64", "sint64", "sfixed64"), forms(int64)),
  fc.tuple(fc.constantFrom("uint64", "fixed64"), forms(uint64)),
  fc.tuple(fc.constant("bool"), fc.boolean()),
  fc.tuple(fc.constant("float"), fc.float()),
  fc.tuple(fc.constant("double"), fc.double()),
  fc.tuple(fc.constant("string"), fc.string({ unit: "binary", maxLength: 200 })),
  fc.tuple(fc.constantFrom("bytes", "raw"), fc.uint8Array({ maxLength: 300 })),
  fc.tuple(fc.constant("tag"), fc.integer({ min: 1, max: 536870911 }), fc.constantFrom(0, 1, 2, 3, 4, 5)),
);
type Tree = Call | readonly Tree[];
const tree: fc.Arbitrary<readonly Tree[]> = fc.letrec<{ tree: readonly Tree[] }>((tie) => ({
  tree: fc.array(fc.oneof({ maxDepth: 5 }, call as fc.Arbitrary<Tree>, tie("tree") as fc.Arbitrary<Tree>), {
    maxLength: 12,
  }),
})).tree;

type Methods = Record<string, (...values: unknown[]) => unknown>;
function write(writer: object, trees: readonly Tree[]): void {
  for (const each of trees) {
    if (typeof each[0] === "string") (writer as Methods)[each[0]]!(...each.slice(1));
    else {
      (writer as Methods).fork!();
      write(writer, each as readonly Tree[]);
      (writer as Methods).join!();
    }
  }
}
const outcome = (act: () => unknown): unknown => {
  try {
    return act();
  } catch {
    return "refused";
  }
};

describe("bytes that end too early", () => {
  const calls = [
    "uint32",
    "int64",
    "bool",
    "fixed32",
    "sfixed64",
    "float",
    "double",
    "bytes",
    "string",
    "tag",
  ] as const;

  test.each(calls)("%s throws a RangeError as the original does, with a code", (name) => {
    for (const bytes of [[], [0x80], [5, 1, 2]].map((list) => Uint8Array.from(list))) {
      const [original, own] = [new theirs.BinaryReader(bytes), new ours.BinaryReader(bytes)].map((reader) =>
        thrownBy(() => (reader as unknown as Methods)[name]!()),
      );
      expect(own instanceof RangeError).toBe(original instanceof RangeError);
      if (!(own instanceof RangeError)) continue;
      expect(own instanceof DecodeError && own instanceof MoonpackError).toBe(true);
      expect(own).toMatchObject({ code: "ERR_TRUNCATED", offset: 0, needMore: expect.any(Number) });
    }
  });

  test("skip throws one, too; other faults are none", () => {
    for (const bytes of [[1], [0x80], [2, 1]].map((list) => Uint8Array.from(list)))
      for (const type of [0, 1, 2, 3, 5] as const) {
        const [original, own] = [new theirs.BinaryReader(bytes), new ours.BinaryReader(bytes)].map((reader) =>
          thrownBy(() => reader.skip(type)),
        );
        expect([type, own instanceof RangeError]).toEqual([type, original instanceof RangeError]);
      }
    expect(thrownBy(() => new ours.BinaryReader(Uint8Array.of(7)).tag())).not.toBeInstanceOf(RangeError);
  });

  test("the loop of protobuf-es for streams waits for more bytes", () => {
    // As protobuf-es' own sizeDelimitedPeek: any RangeError means that bytes are missing.
    const messageIn = (Reader: typeof ours.BinaryReader | typeof theirs.BinaryReader, data: Uint8Array) => {
      try {
        return new Reader(data).bytes();
      } catch (error) {
        if (error instanceof RangeError) return null;
        throw error;
      }
    };
    const message = new theirs.BinaryWriter().bytes(new Uint8Array(300).fill(7)).finish();
    for (const Reader of [theirs.BinaryReader, ours.BinaryReader]) {
      for (let end = 0; end < message.length; end++) expect(messageIn(Reader, message.subarray(0, end))).toBeNull();
      expect(messageIn(Reader, message)).toHaveLength(300);
    }
    for (let end = 0; end < 3; end++)
      expect(ours.sizeDelimitedPeek(message.subarray(0, end))).toEqual(
        theirs.sizeDelimitedPeek(message.subarray(0, end)),
      );
  });
});

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("BinaryWriter", () => {
  test("writes the bytes of the original, with any nesting; finish begins a new message", () => {
    const writers = [new ours.BinaryWriter(), new theirs.BinaryWriter()] as const;
    fc.assert(
      fc.property(tree, (trees) => {
        const [result, original] = writers.map((writer) => {
          write(writer, trees);
          return writer.finish();
        });
        expect(result).toEqual(original);
      }),
      { seed: 5, numRuns: 1500 },
    );
  });

  test("throws where the original throws, with a code", () => {
    const bad: Call[] = [
      ["uint32", -1],
      ["uint32", 2 ** 32],
      ["uint32", 1.5],
      ["uint32", Number.NaN],
      ["int32", 2 ** 31],
      ["sint32", -(2 ** 31) - 1],
      ["fixed32", -1],
      ["sfixed32", 2 ** 31],
      ["float", 1e300],
      ["int64", 2n ** 63n],
      ["uint64", -1n],
      ["uint64", "18446744073709551616"],
      ["int64", "x"],
      ["int64", 1.5],
    ];
    for (const [name, value] of bad) {
      expect(outcome(() => write(new theirs.BinaryWriter(), [[name, value]]))).toBe("refused");
      expect(() => write(new ours.BinaryWriter(), [[name, value]])).toThrowError(
        expect.objectContaining({ code: "ERR_OUT_OF_RANGE" }),
      );
    }
    for (const writer of [new ours.BinaryWriter(), new theirs.BinaryWriter()]) expect(() => writer.join()).toThrow();
    expect([...new ours.BinaryWriter().string("\ud800").finish()]).toEqual([3, 0xef, 0xbf, 0xbd]);
  });

  test("text and other values for float and double, as the original", () => {
    for (const value of ["1.5", "", " 7 ", "x", "NaN", "1e300", undefined, null, true, {}, new Number(2)]) {
      for (const name of ["float", "double"]) {
        const bytes = (writer: ours.BinaryWriter | theirs.BinaryWriter) =>
          outcome(() => {
            write(writer, [[name, value]]);
            return writer.finish();
          });
        expect(bytes(new ours.BinaryWriter()), `${name} ${String(value)}`).toEqual(bytes(new theirs.BinaryWriter()));
      }
    }
  });

  test("64-bit integers from every value that `BigInt` accepts; other values throw with a code", () => {
    const values = [
      true,
      false,
      [],
      [7],
      new Date(5),
      new Number(3),
      Object(4n),
      new String("6"),
      null,
      undefined,
      {},
      [1, 2],
      Symbol("s"),
    ];
    for (const name of ["int64", "uint64", "sint64", "fixed64", "sfixed64"] as const) {
      for (const value of values) {
        const bytes = (writer: ours.BinaryWriter | theirs.BinaryWriter) =>
          outcome(() => writer[name](value as never).finish());
        expect(bytes(new ours.BinaryWriter()), `${name} ${typeof value}`).toEqual(bytes(new theirs.BinaryWriter()));
      }
      for (const value of [null, undefined, {}, Symbol("s")]) {
        expect(() => new ours.BinaryWriter()[name](value as never)).toThrowError(
          expect.objectContaining({ code: "ERR_UNSUPPORTED_TYPE" }),
        );
      }
    }
  });

  test("raw throws for a value that is not a list; the original loses the message", () => {
    const act = (writer: ours.BinaryWriter | theirs.BinaryWriter) =>
      writer
        .bool(true)
        .raw(5 as never)
        .finish();
    expect([...act(new theirs.BinaryWriter())]).toEqual([]);
    expect(() => act(new ours.BinaryWriter())).toThrowError(expect.objectContaining({ code: "ERR_UNSUPPORTED_TYPE" }));
  });

  test("integers as text in any notation, and other values as strings, as the original", () => {
    const names = "uint32 int32 sint32 fixed32 sfixed32 int64 uint64 sint64 fixed64 sfixed64 string".split(" ");
    for (const value of [
      "5",
      "-5",
      "05",
      "5.0",
      " 7 ",
      "0x10",
      "1e3",
      "",
      "+5",
      "x",
      "1.5",
      "NaN",
      "4294967296",
      "-2147483648",
    ]) {
      for (const name of names) {
        const bytes = (writer: ours.BinaryWriter | theirs.BinaryWriter) =>
          outcome(() => {
            write(writer, [[name, value]]);
            return writer.finish();
          });
        expect(bytes(new ours.BinaryWriter()), `${name} ${value}`).toEqual(bytes(new theirs.BinaryWriter()));
      }
    }
    for (const value of [5, null, undefined, true, {}, [1, 2], Symbol("x")]) {
      const bytes = (writer: ours.BinaryWriter | theirs.BinaryWriter) =>
        outcome(() => writer.string(value as string).finish());
      expect(bytes(new ours.BinaryWriter()), String(value)).toEqual(bytes(new theirs.BinaryWriter()));
    }
  });

  test("finish with open forks begins a new message", () => {
    const writer = new ours.BinaryWriter();
    writer.fork().fork().uint32(1).finish();
    expect([...writer.bool(true).finish()]).toEqual([1]);
    expect(() => writer.join()).toThrow();
  });
});

describe("BinaryReader", () => {
  const methods =
    "uint32 int32 sint32 int64 uint64 sint64 bool fixed32 sfixed32 fixed64 sfixed64 float double bytes string tag".split(
      " ",
    );

  test("reads what the original reads, field by field, and throws where it throws", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 24 }),
        fc.array(fc.constantFrom(...methods), { maxLength: 6 }),
        (bytes, names) => {
          const read = (reader: object) =>
            outcome(() => names.map((name) => (reader as Methods)[name]!()).concat((reader as { pos: number }).pos));
          expect(read(new ours.BinaryReader(bytes))).toEqual(read(new theirs.BinaryReader(bytes)));
        },
      ),
      { seed: 7, numRuns: 20_000 },
    );
  });

  test("skips what the original skips, and returns the bytes", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 24 }),
        fc.integer({ min: 0, max: 7 }),
        fc.integer({ min: 0, max: 3 }),
        (bytes, type, field) => {
          const skip = (reader: { skip(type: never, field: number): Uint8Array }) =>
            outcome(() => [...reader.skip(type as never, field)]);
          expect(skip(new ours.BinaryReader(bytes))).toEqual(skip(new theirs.BinaryReader(bytes)));
        },
      ),
      { seed: 8, numRuns: 20_000 },
    );
  });

  test("the same limit of nested groups as the original", () => {
    for (const depth of [1, 2, 99, 100, 101]) {
      const bytes = Uint8Array.from([...Array(depth - 1).fill(11), ...Array(depth).fill(12)]);
      for (const limits of [[], [depth - 1], [depth], [0]]) {
        const skip = (reader: { skip(type: never, ...rest: unknown[]): Uint8Array }) =>
          outcome(() => reader.skip(3 as never, 1, ...limits).length);
        const what = `${depth} groups, limit ${limits}`;
        expect(skip(new ours.BinaryReader(bytes) as never), what).toEqual(
          skip(new theirs.BinaryReader(bytes) as never),
        );
      }
    }
  });

  test("strict text is well-formed", () => {
    const reader = () => new ours.BinaryReader(Uint8Array.of(1, 0xff));
    expect(reader().string()).toBe("\ufffd");
    expect(() => reader().string(true)).toThrowError(expect.objectContaining({ code: "ERR_INVALID_UTF8", offset: 1 }));
  });
});

describe("size-delimited messages", () => {
  test("several messages, one after the other", () => {
    const messages = [new Uint8Array(0), Uint8Array.of(8, 1), new Uint8Array(300).fill(7)];
    const all = Buffer.concat(messages.map((message) => ours.sizeDelimitedEncode(message)));
    expect([...ours.sizeDelimitedDecode(all)].map((message) => new Uint8Array(message))).toEqual(messages);
    expect(() => [...ours.sizeDelimitedDecode(all.subarray(0, -1))]).toThrowError(
      expect.objectContaining({ code: "ERR_TRUNCATED", offset: 4 }),
    );
    expect(() => ours.sizeDelimitedEncode(messages[2]!, 100)).toThrowError(
      expect.objectContaining({ code: "ERR_FRAME_TOO_LARGE" }),
    );
  });

  test("peek returns what the original returns", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 6 }), (bytes) => {
        const peek = ({ sizeDelimitedPeek }: Pick<typeof ours, "sizeDelimitedPeek">) =>
          outcome(() => sizeDelimitedPeek(bytes));
        const original = peek(theirs as never);
        const result = peek(ours);
        // A size above 32 bits: the original accepts some of them.
        if (result !== "refused") expect(result).toEqual(original);
      }),
      { seed: 9, numRuns: 2000 },
    );
  });
});
