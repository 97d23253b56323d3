/** Dumps: each byte once, with its field; broken messages up to the decoder's error. */

import { each, equal } from "@moonpack/harness/each.ts";
import { textOf } from "@moonpack/harness/files.ts";
import { fromHex, toHex } from "@moonpack/harness/hex.ts";
import {
  ARRAY,
  array,
  BOOL,
  bool,
  codec,
  diagnose,
  encodeFramed,
  enumeration,
  fingerprint,
  ivar,
  map,
  nullable,
  omitEmpty,
  omitNull,
  ref,
  type Schema,
  type SchemaDocument,
  schema,
  U8,
  UTF8,
  UVAR,
  u8,
  union,
  utf8,
} from "@moonpack/pck";
import { describe, expect, test } from "vitest";
import { failureOf } from "./container-cases.ts";

interface Line {
  readonly name: string;
  readonly doc: SchemaDocument;
  readonly bytes: string;
  readonly error?: unknown;
}

function linesOf(name: string): readonly Line[] {
  const text = textOf(`vectors/pck/${name}.jsonl`).trimEnd();
  return text.split("\n").map((line, i) => ({ ...JSON.parse(line), name: `line ${i + 1}` }));
}

describe("the vectors", () => {
  for (const name of ["value", "rejected"]) {
    test(`${name}: each byte once, up to the decoder's error`, () => {
      each(linesOf(name), ({ doc, bytes, error }) => {
        let at = 0;
        let failure: unknown;
        for (const item of diagnose(fromHex(bytes), doc)) {
          if (item.error !== undefined) failure = failureOf(item.error);
          else if (item.end > item.offset) {
            equal(item.offset, at);
            at = item.end;
          } else equal(item.offset <= at, true);
        }
        equal(failure, error);
        if (error === undefined) equal(at, bytes.length / 2);
      });
    });
  }
});

/** Returns a dump as lines. */
function dump<In>(schema: Schema<unknown, In>, value: In): string[] {
  return linesFor(codec(schema).encode(value), schema as Schema<unknown, never>);
}

function linesFor(bytes: Uint8Array, schema: Schema<unknown, never>): string[] {
  return [...diagnose(bytes, schema)].map(({ offset, end, depth, path, role, format, meaning }) =>
    [
      offset,
      toHex(bytes.subarray(offset, end)) || "-",
      `${"  ".repeat(depth)}${path}${role === "key" ? " key" : ""}`,
      format,
      meaning,
    ].join(" | "),
  );
}

const Point = schema("Point", ivar("x"), ivar("y"));

describe("items", () => {
  test("structs, bits, numbers: the example of the format page", () => {
    const Attributes = schema("Attributes", u8("str"), u8("agi"), u8("int"));
    const Player = schema(
      "Player",
      ivar("health"),
      bool("jumping"),
      ref("position", Point),
      ref("attributes", Attributes),
    );
    const value = {
      health: 100,
      jumping: true,
      position: { x: 10, y: 20 },
      attributes: { str: 100, agi: 50, int: 10 },
    };
    expect(dump(Player, value)).toEqual([
      "0 | 01 | $ | struct | Player",
      "0 | - |   $.jumping | bool bit 0 | true",
      "1 | - |   $.attributes | struct | Attributes",
      "1 | 64 |     $.attributes.str | u8 | 100",
      "2 | 32 |     $.attributes.agi | u8 | 50",
      "3 | 0a |     $.attributes.int | u8 | 10",
      "4 | c801 |   $.health | ivar | 100",
      "6 | - |   $.position | struct | Point",
      "6 | 14 |     $.position.x | ivar | 10",
      "7 | 28 |     $.position.y | ivar | 20",
    ]);
  });

  test("absent fields, lists with bits, maps, unions, enumerations", () => {
    const All = schema(
      omitNull(u8("none")),
      omitEmpty(utf8("a name")),
      array("flags", BOOL),
      array("holes", nullable(U8)),
      map("ages", UTF8, nullable(UVAR)),
      union("shape", { point: Point, dot: schema() }),
      enumeration("colour", "red", "green"),
      array("three", U8, 3),
      array("lists", ARRAY(UVAR)),
    );
    const value = {
      "a name": "Zoë",
      flags: [true, false],
      holes: [7, null],
      ages: new Map([
        ["a", null],
        ["b", 5],
      ]),
      shape: { kind: "point", x: 1, y: 2 },
      colour: "green",
      three: [1, 2, 3],
      lists: [[300], []],
    } as const;
    expect(dump(All, value)).toEqual([
      "0 | 02 | $ | struct | struct of 9 fields",
      "0 | - |   $.none | absent bit 0 | read as null",
      "1 | - |   $.three | array(3) | list of 3",
      "1 | 01 |     $.three[0] | u8 | 1",
      "2 | 02 |     $.three[1] | u8 | 2",
      "3 | 03 |     $.three[2] | u8 | 3",
      '4 | 01 |   $.colour | enumeration | "green"',
      "5 | 00 |   $.shape | union | point (Point)",
      "6 | 02 |     $.shape.x | ivar | 1",
      "7 | 04 |     $.shape.y | ivar | 2",
      "8 | 0201 |   $.flags | array | list of 2",
      "9 | - |     $.flags[0] | bool bit 0 | true",
      "9 | - |     $.flags[1] | bool bit 1 | false",
      "10 | 0201 |   $.holes | array | list of 2",
      "12 | 07 |     $.holes[0] | u8 | 7",
      "11 | - |     $.holes[1] | absent bit 1 | null",
      "13 | 02 |   $.lists | array | list of 2",
      "14 | 01 |     $.lists[0] | array | list of 1",
      "15 | ac02 |       $.lists[0][0] | uvar | 300",
      "17 | 00 |     $.lists[1] | array | list of 0",
      "18 | 02 |   $.ages | map | map of 2",
      '19 | 0161 |     $.ages key | utf8 | "a"',
      '21 | 00 |     $.ages["a"] | uvar or null | null',
      '22 | 0162 |     $.ages key | utf8 | "b"',
      '24 | 0105 |     $.ages["b"] | uvar | 5',
      '26 | 045a6fc3ab |   $["a name"] | utf8 | "Zoë"',
    ]);
  });

  test("a broken message: the part of the item that was read, then the rest with the error", () => {
    const Named = schema(map("names", U8, nullable(UTF8)));
    expect(linesFor(fromHex("0101" + "01" + "02ff61"), Named)).toEqual([
      "0 | - | $ | struct | struct of 1 field",
      "0 | 01 |   $.names | map | map of 1",
      "1 | 01 |     $.names key | u8 | 1",
      "2 | 01 |     $.names[1] | begun | the item that breaks",
      "3 | 02ff61 |     $.names[1] | broken | malformed UTF-8 (at byte 3)",
    ]);
  });

  test("long text and bytes are cut", () => {
    const Text = schema(utf8("t"));
    const last = [...diagnose(codec(Text).encode({ t: `${"x".repeat(63)}😀` }), Text)].at(-1)!;
    expect(last.meaning).toBe(`"${"x".repeat(63)}".. (65 characters)`);
  });

  test("a framed message: the fingerprint belongs to the first item; another schema's is an error", () => {
    const bytes = encodeFramed(Point, { x: 1, y: 2 });
    const [first, x] = diagnose(bytes, Point, { framed: true });
    expect(first).toMatchObject({ offset: 0, end: 8, format: "framed struct", meaning: "Point" });
    expect(x).toMatchObject({ offset: 8, end: 9, path: "$.x", meaning: "1" });
    const other = schema(ivar("z"));
    const [only] = diagnose(bytes, other, { framed: true });
    expect(only!.error).toMatchObject({ code: "ERR_FINGERPRINT", offset: 0 });
    expect(only!.meaning).toContain(`the fingerprint is ${toHex(fingerprint(Point)).replace(/..(?=.)/g, "$& ")}`);
    const [short] = diagnose(bytes.subarray(0, 3), Point, { framed: true });
    expect(short!.error).toMatchObject({ code: "ERR_TRUNCATED", offset: 0, needMore: 5 });
  });
});

test("nested 4,000 deep, without recursion, in linear time", () => {
  interface Nest {
    readonly next: Nest | null;
  }
  const Nest: Schema<Nest> = schema("Nest", omitNull(ref("next", () => Nest)));
  const bytes = new Uint8Array(4000).fill(1);
  bytes[3999] = 0;
  let items = 0;
  for (const { error } of diagnose(bytes, Nest, { maxDepth: 4096 })) {
    expect(error).toBe(undefined);
    items++;
  }
  expect(items).toBe(4001);
  expect([...diagnose(bytes, Nest)].at(-1)!.error).toMatchObject({ code: "ERR_LIMIT_DEPTH", offset: 512 });
});
