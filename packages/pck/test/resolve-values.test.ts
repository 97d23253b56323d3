/** The values of `resolve`: objects as the reader's own codec makes them, new ones for each message. */

import { fault } from "@moonpack/harness/caught.ts";
import { none } from "@moonpack/harness/each.ts";
import { differ } from "@moonpack/harness/same.ts";
import {
  array,
  bool,
  bytes,
  codec,
  enumeration,
  type Infer,
  map,
  omitNull,
  omitZero,
  ref,
  renamed,
  resolve,
  schema,
  U8,
  U64,
  UTF8,
  UVAR64,
  u8,
  u16,
  u32,
  u64,
  union,
  utf8,
  withDefault,
} from "@moonpack/pck";
import { describe, expect, test } from "vitest";

const Old = schema("Player", u8("score"), utf8("nick"), array("tags", UTF8));
const Player = schema(
  "Player",
  withDefault(array("friends", UTF8), ["me"]),
  renamed(utf8("name"), "nick"),
  u32("score"),
  omitNull(utf8("mail")),
  array("tags", UTF8),
);
const old = codec(Old).encode({ score: 7, nick: "ann", tags: ["a"] });

describe("values", () => {
  test("have the reader's fields, in the order of their declaration", () => {
    const player: Infer<typeof Player> = resolve(Old, Player).decode(old);
    none(differ(player, { friends: ["me"], name: "ann", score: 7, mail: null, tags: ["a"] }));
    none(differ(codec(Player).decode(codec(Player).encode(player)), player));
  });

  test("share nothing, including defaults and empty values", () => {
    const Reader = schema(
      withDefault(map("counts", UTF8, U8), new Map([["a", 1]])),
      withDefault(bytes("raw"), Uint8Array.of(1, 2)),
      withDefault(ref("inner", schema(array("list", U8))), { list: [1] }),
      ref("made", schema(withDefault(array("list", U8), [2]))),
    );
    const decoder = resolve(schema(), Reader, { binary: "view" });
    const first = decoder.decode(new Uint8Array(0));
    first.counts.set("b", 2);
    first.raw[0] = 9;
    first.inner.list.push(9);
    first.made.list.push(9);
    const second = decoder.decode(new Uint8Array(0));
    none(
      differ(second, {
        counts: new Map([["a", 1]]),
        raw: Uint8Array.of(1, 2),
        inner: { list: [1] },
        made: { list: [2] },
      }),
    );
  });

  test("are instances of the given classes", () => {
    class Named {
      declare name: string;
      greet() {
        return `I am ${this.name}`;
      }
    }
    class Point {}
    class Circle {}
    const P = schema("P", withDefault(u8("x"), 3));
    const C = schema("C", u16("r"));
    const Reader = schema("R", renamed(utf8("name"), "nick"), ref("at", P), union("shape", { circle: C }));
    const Writer = schema("R", utf8("nick"), union("shape", { circle: schema(u8("r")) }));
    const message = codec(Writer).encode({ nick: "ann", shape: { kind: "circle", r: 1 } });
    const classes = new Map<object, typeof Named | typeof Point>([
      [Reader, Named],
      [P, Point],
      [C, Circle],
    ]);
    const value = resolve(Writer, Reader, { classes: classes as never }).decode(message);
    expect(value).toBeInstanceOf(Named);
    expect((value as unknown as Named).greet()).toBe("I am ann");
    expect(value.at).toBeInstanceOf(Point);
    expect(value.shape).toBeInstanceOf(Circle);
    expect(Object.keys(value)).toEqual(["name", "at", "shape"]);
  });

  test("fields with names of Object.prototype are own properties, and no prototype changes", () => {
    const Writer = schema(u8("__proto__"), u8("toString"));
    const Reader = schema(u16("toString"), u16("__proto__"), withDefault(u8("constructor"), 1));
    const value = resolve(Writer, Reader).decode(Uint8Array.of(1, 2)) as object;
    expect(Object.entries(value)).toEqual([
      ["toString", 2],
      ["__proto__", 1],
      ["constructor", 1],
    ]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test("names that only Object.prototype has are not fields of the writer", () => {
    const Reader = schema(withDefault(renamed(u8("x"), "toString", "__proto__"), 5));
    expect(resolve(schema(), Reader).decode(new Uint8Array(0))).toEqual({ x: 5 });
  });
});

describe("options", () => {
  const Writer = schema(array("list", U8), u32("small"), u64("wide"), map("counts", UTF8, U8), map("keys", U8, U64));
  const Reader = schema(
    array("list", UVAR64),
    u64("small"),
    u64("wide"),
    map("counts", UTF8, U64),
    map("keys", U64, U64),
    withDefault(u64("added"), 5n),
    omitZero(u64("absent")),
    withDefault(map("names", UTF8, U8), new Map([["__proto__", 1]])),
  );
  const message = codec(Writer).encode({
    list: [1],
    small: 2,
    wide: 3,
    counts: new Map([["a", 4]]),
    keys: new Map([[5, 6n]]),
  });

  test("default: 64-bit integers are bigints, maps are Maps", () => {
    const names = new Map([["__proto__", 1]]);
    const wide = { list: [1n], small: 2n, wide: 3n, counts: new Map([["a", 4n]]), keys: new Map([[5n, 6n]]) };
    none(differ(resolve(Writer, Reader).decode(message), { ...wide, added: 5n, absent: 0n, names }));
  });

  test("int64: number, maps: object: also for added fields; keys are bigints", () => {
    const names = Object.fromEntries([["__proto__", 1]]);
    const narrow = { list: [1], small: 2, wide: 3, counts: { a: 4 }, keys: new Map([[5n, 6]]) };
    const value = resolve(Writer, Reader, { int64: "number", maps: "object" }).decode(message);
    none(differ(value, { ...narrow, added: 5, absent: 0, names }));
  });

  test("int64: number throws for unsafe integers that are read, but not for skipped ones", () => {
    const From = schema(u8("a"), u64("b"));
    const large = codec(From).encode({ a: 1, b: 2n ** 60n });
    expect(fault(() => resolve(From, From, { int64: "number" }).decode(large))).toEqual({
      code: "ERR_UNSAFE_INTEGER",
      offset: 0,
      needMore: 0,
    });
    expect(resolve(From, schema(u8("a")), { int64: "number" }).decode(large)).toEqual({ a: 1 });
    const To = schema(u8("a"), withDefault(u64("c"), 2n ** 60n));
    expect(fault(() => resolve(From, To, { int64: "number" }).decode(large))).toEqual({
      code: "ERR_UNSAFE_INTEGER",
      offset: 9,
      needMore: 0,
    });
  });

  test("typedArrays: the class of the reader's type", () => {
    const From = schema(array("a", U8), array("b", U8, 2), array("c", U8));
    const To = schema(array("a", U64), array("b", U8), withDefault(array("d", U64), [7]));
    const bytesOf = codec(From).encode({ a: [1], b: [2, 3], c: [4] });
    const typed = resolve(From, To, { typedArrays: true }).decode(bytesOf);
    expect(typed).toEqual({ a: BigUint64Array.of(1n), b: Uint8Array.of(2, 3), d: BigUint64Array.of(7n) });
    // No typed array holds 64-bit integers as numbers.
    const numbers = resolve(From, To, { typedArrays: true, int64: "number" }).decode(bytesOf);
    expect(numbers).toEqual({ a: [1], b: Uint8Array.of(2, 3), d: [7] });
  });

  test("binary: view is a view of the input", () => {
    const input = Uint8Array.of(9, 9);
    const value = resolve(schema(bytes("b", 2)), schema(bytes("b")), { binary: "view" }).decode(input);
    input[0] = 1;
    expect(value.b).toEqual(Uint8Array.of(1, 9));
  });

  test("maxDepth counts as in the writer's own decoder, also in skipped fields", () => {
    const From = schema(ref("a", schema(ref("b", schema(u8("x"))))));
    for (const To of [From, schema()]) {
      expect(fault(() => resolve(From, To, { maxDepth: 2 }).decode(Uint8Array.of(1)))).toEqual({
        code: "ERR_LIMIT_DEPTH",
        offset: 0,
        needMore: 0,
      });
    }
  });

  test("invalid options throw", () => {
    const act = () => resolve(Old, Player, { int64: "text" as "number" });
    expect(fault(act)).toEqual({ code: "ERR_INVALID_ARGUMENT" });
  });
});

describe("names and arms", () => {
  const Writer = schema(map("m", { kind: "enumeration", values: ["a", "b", "c"] }, U8));
  const Reader = schema(map("m", { kind: "enumeration", values: ["c", "b", "a"] }, U8));

  test("maps are in the reader's order of keys", () => {
    const message = Uint8Array.of(3, 0, 1, 1, 2, 2, 3);
    const value = resolve(Writer, Reader).decode(message);
    const want = [
      ["c", 3],
      ["b", 2],
      ["a", 1],
    ];
    expect([...(value.m as Map<string, number>)]).toEqual(want);
    expect(Object.entries(resolve(Writer, Reader, { maps: "object" }).decode(message).m as object)).toEqual(want);
  });

  test("the default replaces an unknown arm, a new copy each time; the arm is checked", () => {
    const Box = schema(u8("size"));
    const From = schema(union("u", { box: Box, text: schema(utf8("t")) }), u8("after"));
    const To = schema(withDefault(union("u", { box: Box, none: schema() }, "is"), { is: "none" }), u8("after"));
    const decoder = resolve(From, To);
    const message = codec(From).encode({ u: { kind: "text", t: "hi" }, after: 5 });
    const first = decoder.decode(message);
    expect(first).toEqual({ u: { is: "none" }, after: 5 });
    expect(decoder.decode(message).u).not.toBe(first.u);
    const broken = message.slice();
    broken[3] = 0xff;
    expect(fault(() => decoder.decode(broken))).toEqual(fault(() => codec(From).decode(broken)));
  });

  test("the default of a field does not replace unknown names in an arm's field", () => {
    const From = schema(union("u", { a: schema(enumeration("e", "x", "y")) }));
    const To = schema(withDefault(union("u", { a: schema(enumeration("e", "x")) }), { kind: "a", e: "x" }));
    expect(resolve(From, To).decode(Uint8Array.of(0, 0))).toEqual({ u: { kind: "a", e: "x" } });
    expect(fault(() => resolve(From, To).decode(Uint8Array.of(0, 1)))).toEqual({
      code: "ERR_UNKNOWN_INDEX",
      offset: 1,
      needMore: 0,
    });
  });
});

test("a decoder can be used while it is decoding, and after an error", () => {
  const Writer = schema(u8("a"), bool("b"));
  const decoder = resolve(Writer, schema(u16("a")));
  expect(fault(() => decoder.decode(Uint8Array.of(1)))).toEqual(fault(() => codec(Writer).decode(Uint8Array.of(1))));
  expect(decoder.decode(Uint8Array.of(1, 7))).toEqual({ a: 7 });
});
