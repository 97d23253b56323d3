/** Invalid values: the code and path of the error, for every type and every kind of invalid value. */

import { caught, fault } from "@moonpack/harness/caught.ts";
import { each, equal } from "@moonpack/harness/each.ts";
import * as pck from "@moonpack/pck";
import { type AnySchema, codec, EncodeError, Schema, type Type, toDocument } from "@moonpack/pck";
import { describe, expect, test } from "vitest";
import { opener } from "./harness/cases.ts";
import { engines } from "./harness/engines.ts";

const TYPE = "ERR_UNSUPPORTED_TYPE";
const RANGE = "ERR_OUT_OF_RANGE";

const Point = pck.schema(pck.u8("x"));
const None = pck.schema();
const { ARRAY, ASCII, BYTES, ENUMERATION, MAP, nullable, REF, U16, U8, UNION, UTF8 } = pck;

/** The schema's constructor, which the public types hide. */
const AnyStruct = Schema as unknown as new (name: string, fields: readonly object[]) => AnySchema;

/** The document of one field `v` of any type. */
function oneField(type: Type): pck.SchemaDocument {
  return toDocument(new AnyStruct("", [{ ...pck.u8("v"), type }]));
}

/** Returns a codec that takes any value in TypeScript. */
function untyped(schema: AnySchema): pck.Codec<unknown, unknown> {
  return codec(schema as Schema<unknown, unknown>);
}

/** Values that are invalid for numbers, text, bytes and lists. */
const ODD: readonly (readonly [string, unknown])[] = [
  ["null", null],
  ["undefined", undefined],
  ["a symbol", Symbol("s")],
  ["a function", () => 1],
  ["an object", {}],
  ["a Date", new Date(0)],
  ["a boxed number", Object(1)],
  ["a boxed string", Object("a")],
  ["an object with valueOf", { valueOf: () => 1, toString: () => "a" }],
  ["an object that cannot become a primitive", Object.create(null)],
];

const NUMBERS = ["u8", "u16", "u32", "i8", "i16", "i32", "uvar", "ivar"] as const;
const WIDE = ["u64", "i64", "uvar64", "ivar64"] as const;
const BEYOND: Readonly<Record<(typeof NUMBERS)[number], readonly [number, number]>> = {
  u8: [-1, 256],
  u16: [-1, 65_536],
  u32: [-1, 2 ** 32],
  i8: [-129, 128],
  i16: [-32_769, 32_768],
  i32: [-(2 ** 31) - 1, 2 ** 31],
  uvar: [-1, 2 ** 32],
  ivar: [-(2 ** 31) - 1, 2 ** 31],
};

interface Case {
  readonly name: string;
  readonly type: Type;
  readonly value: unknown;
  readonly code: string;
  readonly path?: string;
}

function simple(kind: string): Type {
  return { kind } as Type;
}

const cases: Case[] = [];
function refused(type: Type, what: string, value: unknown, code: string, path = "$.v"): void {
  cases.push({ name: `${type.kind}: ${what}`, type, value, code, path });
}

for (const kind of NUMBERS) {
  const type = simple(kind);
  for (const [what, value] of [...ODD, ["a bigint", 1n], ["text", "1"], ["true", true], ["a list", [1]]] as const) {
    refused(type, what, value, TYPE);
  }
  for (const value of [...BEYOND[kind], 0.5, -0.5, Number.NaN, Infinity, -Infinity, 2 ** 53, 1e300]) {
    refused(type, String(value), value, RANGE);
  }
}
for (const kind of WIDE) {
  const type = simple(kind);
  for (const [what, value] of [...ODD, ["text", "1"], ["true", true]] as const) refused(type, what, value, TYPE);
  const isSigned = kind.startsWith("i");
  for (const value of isSigned
    ? [2n ** 63n, -(2n ** 63n) - 1n, 2n ** 80n]
    : [2n ** 64n, -1n, -(2n ** 64n), 2n ** 128n]) {
    refused(type, `${value}n`, value, RANGE);
  }
  for (const value of [0.5, Number.NaN, Infinity, -Infinity]) refused(type, String(value), value, RANGE);
  for (const value of [2 ** 53, 2 ** 60, 1e300]) refused(type, String(value), value, "ERR_UNSAFE_INTEGER");
  if (!isSigned) refused(type, "-1", -1, RANGE);
}
for (const kind of ["f32", "f64"]) {
  for (const [what, value] of [...ODD, ["a bigint", 1n], ["text", "1"], ["true", true]] as const) {
    refused(simple(kind), what, value, TYPE);
  }
}
for (const value of [3.5e38, -3.5e38, 1e300]) refused(simple("f32"), String(value), value, RANGE);
for (const type of [simple("utf8"), ASCII(), ASCII(1)]) {
  for (const [what, value] of [...ODD, ["a number", 1], ["a list", ["a"]]] as const) refused(type, what, value, TYPE);
}
for (const text of ["\ud800", "a\udc00b", "\udc00\ud800", `${"x".repeat(200)}\ud800`]) {
  refused(UTF8, `lone surrogate in ${text.length}`, text, "ERR_INVALID_UTF8");
}
for (const text of ["é", "\u0080", "\ud800", "😀", `${"x".repeat(100)}é`]) {
  refused(ASCII(), JSON.stringify(text.slice(-3)), text, "ERR_INVALID_ASCII");
}
refused(ASCII(2), "é and a", "éa", "ERR_INVALID_ASCII");
for (const text of ["", "a", "abc"]) refused(ASCII(2), `of ${text.length}`, text, RANGE);
for (const type of [BYTES(), BYTES(1)]) {
  for (const [what, value] of [
    ...ODD,
    ["text", "AA=="],
    ["a list", [1]],
    ["an ArrayBuffer", new ArrayBuffer(1)],
  ] as const) {
    refused(type, what, value, TYPE);
  }
  refused(type, "another view", new Uint16Array(1), TYPE);
  refused(type, "a DataView", new DataView(new ArrayBuffer(1)), TYPE);
}
for (const length of [0, 1, 3]) refused(BYTES(2), `of ${length}`, new Uint8Array(length), RANGE);
for (const [what, value] of [...ODD, ["a number", 0]] as const) refused(ENUMERATION("a", "b"), what, value, TYPE);
for (const name of ["c", "", "toString", "__proto__", "constructor"]) refused(ENUMERATION("a", "b"), name, name, RANGE);
for (const [what, value] of [
  ["null", null],
  ["text", "x"],
  ["a number", 1],
  ["a list", [1]],
  ["bytes", new Uint8Array(1)],
  ["a Map", new Map([["x", 1]])],
  ["a function", () => 1],
] as const) {
  refused(REF(Point), what, value, TYPE);
  refused(UNION({ point: Point }), what, value, TYPE);
}
refused(REF(Point), "a field that is missing", {}, TYPE, "$.v.x");
refused(REF(Point), "a field of the prototype's name", { x: 256 }, RANGE, "$.v.x");
refused(UNION({ point: Point }), "without an arm", { x: 1 }, TYPE, "$.v.kind");
refused(UNION({ point: Point }), "an unknown arm", { kind: "line", x: 1 }, RANGE, "$.v.kind");
refused(UNION({ point: Point }), "an arm that is a number", { kind: 0, x: 1 }, TYPE, "$.v.kind");
refused(UNION({ point: Point }, "a b"), "another discriminator", { kind: "point", x: 1 }, TYPE, '$.v["a b"]');
refused(UNION({ point: Point }), "in an arm", { kind: "point", x: "1" }, TYPE, "$.v.x");
for (const [what, value] of [
  ...ODD,
  ["text", "ab"],
  ["a Set", new Set([1])],
  ["an object with a length", { length: 1, 0: 1 }],
] as const) {
  refused(ARRAY(U8), what, value, TYPE);
  refused(ARRAY(U8, 1), what, value, TYPE);
  refused(ARRAY(nullable(U8)), what, value, TYPE);
}
refused(ARRAY(U8), "an element", [1, 2, 256], RANGE, "$.v[2]");
refused(ARRAY(U8), "a hole", new Array(1), TYPE, "$.v[0]");
refused(ARRAY(U8), "null", [1, null], TYPE, "$.v[1]");
refused(ARRAY(U8), "undefined", [undefined], TYPE, "$.v[0]");
refused(ARRAY(U8), "bigints of a typed array", new BigInt64Array(1), TYPE, "$.v[0]");
refused(ARRAY(U16), "fractions of a typed array", new Float64Array([1, 0.5]), RANGE, "$.v[1]");
refused(ARRAY(UTF8), "a typed array for text", new Uint8Array(1), TYPE);
refused(ARRAY(simple("bool")), "a typed array for bools", new Uint8Array(1), TYPE);
refused(ARRAY(simple("bool")), "an element", [true, 1], TYPE, "$.v[1]");
refused(ARRAY(nullable(U8)), "an element", [null, 300], RANGE, "$.v[1]");
for (const length of [0, 1, 3]) {
  const list = new Array<number>(length).fill(0);
  refused(ARRAY(U8, 2), `of ${length}`, list, RANGE);
  refused(ARRAY(nullable(U8), 2), `nullables, of ${length}`, list, RANGE);
  refused(
    ARRAY(simple("bool"), 2),
    `bools, of ${length}`,
    list.map(() => true),
    RANGE,
  );
  refused(ARRAY(U8, 2), `typed, of ${length}`, new Uint8Array(length), RANGE);
}
for (const [what, value] of [...ODD, ["a list of pairs", [[1, 2]]], ["text", "a"]] as const) {
  refused(MAP(U8, U8), what, value, TYPE);
}
refused(
  MAP(U8, U8),
  "a key beyond",
  new Map([
    [1, 1],
    [256, 2],
  ]),
  RANGE,
  "$.v[256]",
);
refused(MAP(U8, U8), "a key that is text", new Map<unknown, number>([["1", 1]]), TYPE, '$.v["1"]');
refused(
  MAP(U8, U8),
  "a value",
  new Map([
    [7, 1],
    [3, 256],
  ]),
  RANGE,
  "$.v[3]",
);
refused(MAP(UTF8, U8), "a value of text", new Map([["a b", -1]]), RANGE, '$.v["a b"]');
refused(MAP(UTF8, U8), "a lone surrogate in a key", new Map([["\ud800", 1]]), "ERR_INVALID_UTF8", '$.v["\\ud800"]');
refused(MAP(ASCII(), U8), "a key that is not ASCII", new Map([["é", 1]]), "ERR_INVALID_ASCII", '$.v["é"]');
refused(MAP(ENUMERATION("a"), U8), "an unknown key", new Map([["b", 1]]), RANGE, '$.v["b"]');
refused(
  MAP(simple("u64") as typeof U8, U8),
  "equal keys",
  new Map<unknown, number>([
    [1, 1],
    [1n, 2],
  ]),
  "ERR_DUPLICATE_KEY",
  '$.v["1"]',
);
refused(MAP(simple("i8") as typeof U8, nullable(U8)), "a nullable value", new Map([[-1, "x"]]), TYPE, "$.v[-1]");
refused(MAP(U8, simple("bool")), "a bool", new Map([[1, 0]]), TYPE, "$.v[1]");
for (const [what, value] of [...ODD, ["1", 1], ["text", "true"], ["a boxed one", Object(true)]] as const) {
  refused(simple("bool"), what, value, TYPE);
}

for (const engine of engines()) {
  test(`codes and paths: ${engine.name}`, () => {
    const open = opener(engine);
    let last: { readonly type: Type; readonly doc: pck.SchemaDocument } | undefined;
    each(cases, ({ type, value, code, path }) => {
      if (last?.type !== type) last = { type, doc: oneField(type) };
      const { doc } = last;
      equal(
        fault(() => open(doc).encode({ v: value })),
        { code, path },
      );
    });
    expect(cases.length).toBeGreaterThan(500);
  });
}

test("a message is an object", () => {
  for (const value of [null, undefined, 1, "a", [], [1], new Map(), new Uint8Array(1), () => 1, Symbol("s"), 1n]) {
    equal(
      fault(() => untyped(None).encode(value)),
      { code: TYPE, path: "$" },
      String(value),
    );
  }
});

describe("paths", () => {
  test("names, quoted where necessary", () => {
    for (const [name, step] of [
      ["a", ".a"],
      ["$_9", ".$_9"],
      ["9a", '["9a"]'],
      ["é", '["é"]'],
      ['"', '["\\""]'],
      ["__proto__", ".__proto__"],
      ["a\u2028", '["a\u2028"]'],
    ]) {
      const value = Object.fromEntries([[name, -1]]);
      equal(fault(() => untyped(pck.schema(pck.u8(name!))).encode(value)).path, `$${step}`);
    }
  });

  test("through all containers", () => {
    const Leaf = pck.schema(pck.array("list", U8));
    const Arm = pck.schema(pck.map("m", UTF8, REF(Leaf)));
    const deep = codec(pck.schema(pck.array("rows", nullable(UNION({ arm: Arm })))));
    const value = { rows: [null, { kind: "arm", m: new Map([["k", { list: [1, 2, 999] }]]) }] } as const;
    const error = caught(() => deep.encode(value));
    expect(error).toBeInstanceOf(EncodeError);
    expect((error as EncodeError).path).toBe('$.rows[1].m["k"].list[2]');
    expect((error as EncodeError).code).toBe(RANGE);
  });

  test("one of several errors is reported, and the codec works afterwards", () => {
    const both = untyped(pck.schema(pck.u8("a"), pck.u8("b")));
    expect(["$.a", "$.b"]).toContain(fault(() => both.encode({ a: -1, b: -1 })).path);
    expect([...both.encode({ a: 1, b: 2 })].join()).toBe("1,2");
  });
});

test("a value of a wrong type is never absent: it throws", () => {
  for (const [field, value] of [
    [pck.omitZero(pck.u8("v")), "0"],
    [pck.omitZero(pck.u8("v")), 0n],
    [pck.omitZero(pck.u8("v")), Symbol("s")],
    [pck.omitZero(pck.f32("v")), 0n],
    [pck.omitZero(pck.f32("v")), { valueOf: () => 0 }],
    [pck.omitZero(pck.u64("v")), "0"],
    [pck.omitZero(pck.u64("v")), null],
    [pck.omitEmpty(pck.utf8("v")), []],
    [pck.omitEmpty(pck.utf8("v")), null],
    [pck.omitEmpty(pck.bytes("v")), ""],
    [pck.omitEmpty(pck.array("v", U8)), ""],
    [pck.omitEmpty(pck.array("v", UTF8)), new Uint8Array(0)],
    [pck.omitEmpty(pck.map("v", U8, U8)), {}],
    [pck.omitEmpty(pck.map("v", U8, U8)), new Set()],
    [pck.omitNull(pck.u8("v")), Number.NaN],
  ] as const) {
    const one = untyped(pck.schema(field));
    const { code, path } = fault(() => one.encode({ v: value }));
    expect([TYPE, RANGE]).toContain(code);
    expect(path).toBe("$.v");
  }
});

test("texts name the range of an integer type, and the expected length", () => {
  for (const [field, value, text] of [
    [pck.u8("v"), 300, "300 is not a valid u8 (0 to 255)"],
    [pck.i16("v"), 32_768, "32768 is not a valid i16 (-32768 to 32767)"],
    [pck.ivar("v"), 0.5, "0.5 is not a valid i32 (-2^31 to 2^31 - 1)"],
    [pck.u64("v"), -1, "-1 is not a valid u64 (0 to 2^64 - 1)"],
    [pck.i64("v"), 2n ** 63n, "9223372036854775808 is not a valid i64 (-2^63 to 2^63 - 1)"],
    [pck.bytes("v", 3), new Uint8Array(2), "expected 3 bytes, got 2"],
    [pck.ascii("v", 3), "ab", "expected 3 characters, got 2"],
    [pck.array("v", U8, 3), [1, 2], "expected 3 elements, got 2"],
  ] as const) {
    const error = caught(() => untyped(pck.schema(field)).encode({ v: value })) as Error;
    expect(error.message).toBe(`${text} (at $.v)`);
  }
});
