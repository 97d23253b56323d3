/** `compare`: each change once, as text, and which schema reads the other's bytes. */

import { caughtOurs } from "@moonpack/harness/caught.ts";
import {
  array,
  compare,
  doc,
  enumeration,
  map,
  nullable,
  omitNull,
  omitZero,
  ref,
  renamed,
  type Schema,
  type SchemaChange,
  schema,
  U8,
  U16,
  UTF8,
  u8,
  u16,
  union,
  utf8,
  withDefault,
} from "@moonpack/pck";
import { describe, expect, test } from "vitest";

type AnySchema = Schema<unknown, never>;

/** Returns kind, path and text of each change, then whether new reads old and old reads new. */
function said(old: AnySchema, now: AnySchema): readonly string[] {
  return compare(old, now).map(
    ({ kind, path, text, newReadsOld, oldReadsNew }) => `${kind} ${path}: ${text} | ${newReadsOld} ${oldReadsNew}`,
  );
}

describe("fields", () => {
  test("added and removed", () => {
    expect(said(schema("A", u8("x"), u8("y")), schema("A", u8("x"), omitNull(array("z", U8))))).toEqual([
      "added A.z: array(u8), omitNull | yes yes",
      "removed A.y: u8 | yes no",
    ]);
    expect(said(schema("A"), schema("A", u8("x")))).toEqual(["added A.x: u8 | no yes"]);
  });

  test("renamed, on either side", () => {
    expect(said(schema("A", u8("x")), schema("A", renamed(u8("y"), "x")))).toEqual(["renamed A.y: was x | yes no"]);
    expect(said(schema("A", renamed(u8("y"), "x")), schema("A", u8("x")))).toEqual(["renamed A.x: was y | no yes"]);
    expect(said(schema("A", renamed(u8("y"), "x")), schema("A", renamed(u8("x"), "y")))).toEqual([
      "renamed A.x: was y | yes yes",
    ]);
    expect(said(schema("A", u8("x")), schema("A", renamed(u8("x"), "w")))).toEqual([
      "changed A.x: old names added: w | yes yes",
    ]);
  });

  test("old names that contradict each other: each change is listed, with the right verdicts", () => {
    const old = schema("A", renamed(u8("a"), "c"));
    const now = schema("A", renamed(u8("b"), "a"), u16("c"));
    expect(said(old, now)).toEqual([
      "renamed A.b: was a, old names removed: c | yes no",
      "renamed A.c: was a, u8 became u16 | no no",
    ]);
  });

  test("types, flags and defaults, all in one change", () => {
    expect(said(schema("A", u8("x")), schema("A", withDefault(omitNull(omitZero(u16("x"))), 3)))).toEqual([
      "changed A.x: u8 became u16, omitNull added, omitZero added, default 3 added | yes no",
    ]);
    expect(said(schema("A", withDefault(u8("x"), 1)), schema("A", withDefault(u8("x"), 2)))).toEqual([
      "changed A.x: default 1 became 2 | yes yes",
    ]);
    expect(said(schema("A", withDefault(omitNull(u8("x")), null)), schema("A", omitNull(u8("x"))))).toEqual([
      "changed A.x: default null removed | yes yes",
    ]);
  });

  test("the order of their declaration", () => {
    expect(said(schema("A", u8("x"), u8("y")), schema("A", u8("y"), u8("x")))).toEqual([
      "order A: fields are declared in another order | yes yes",
    ]);
    expect(said(schema("A", u8("x"), u8("y")), schema("A", u8("x"), omitNull(u8("new")), u8("y")))).toEqual([
      "added A.new: u8, omitNull | yes yes",
    ]);
  });
});

describe("names and arms", () => {
  test("enumerations, at any depth", () => {
    const old = schema("A", map("m", UTF8, { kind: "enumeration", values: ["a", "b"] }));
    const now = schema("A", map("m", UTF8, { kind: "enumeration", values: ["c", "b", "a"] }));
    expect(said(old, now)).toEqual(["changed A.m: values added: c, values in another order | yes depends"]);
    const [change] = compare(old, now) as [SchemaChange];
    expect(change.why).toBe("the new A.m may hold c, which the old A.m does not have");
  });

  test("a default replaces unknown ones", () => {
    const old = schema("A", withDefault(enumeration("e", "a", "b"), "a"));
    expect(said(old, schema("A", enumeration("e", "b", "c")))).toEqual([
      'changed A.e: values added: c, values removed: a, default "a" removed | depends yes',
    ]);
  });

  test("unions; their structs are compared too, each pair once", () => {
    const C = schema("Circle", u8("r"));
    const D = schema("Disc", u16("r"));
    const old = schema("A", union("u", { circle: C, none: schema("None") }), ref("c", C));
    const now = schema("A", union("u", { circle: D, box: D }, "is"), ref("c", D));
    expect(said(old, now)).toEqual([
      "changed A.u: arms added: box, arms removed: none, discriminator kind became is | depends depends",
      "changed Disc.r: u8 became u16 | yes no",
    ]);
  });
});

test("names of structs and docs are not compared", () => {
  const old = schema("A", ref("p", schema("P", u8("x"))));
  expect(compare(old, doc(schema("B", ref("p", schema("Q", doc(u8("x"), "text")))), "text"))).toEqual([]);
});

test("recursive structs", () => {
  const Old: AnySchema = schema("Node", u8("v"), omitNull(ref("next", () => Old)));
  const New: AnySchema = schema("Node", u16("v"), omitNull(ref("next", () => New)));
  expect(said(Old, New)).toEqual(["changed Node.v: u8 became u16 | yes no"]);
});

describe("reasons name the schemas old and new", () => {
  const why = (old: AnySchema, now: AnySchema) => compare(old, now).map((change) => change.why);

  test("types", () => {
    expect(why(schema("A", u8("x")), schema("A", u16("x")))).toEqual([
      "the new A.x (u16) cannot be read as the old A.x (u8): u8 does not hold every u16",
    ]);
    expect(why(schema("A", array("x", U8)), schema("B", array("x", nullable(U8))))).toEqual([
      "the new B.x (array(nullable(u8))) cannot be read as the old A.x (array(u8)): u8 cannot be null",
    ]);
    expect(why(schema("A", utf8("x")), schema("A", u8("x")))).toEqual([
      "the old A.x (utf8) cannot be read as the new A.x (u8); the new A.x (u8) cannot be read as the old A.x (utf8)",
    ]);
    expect(why(schema("A", map("x", U8, U8)), schema("A", map("x", U8, UTF8)))).toEqual([
      "the old A.x (map(u8, u8)) cannot be read as the new A.x (map(u8, utf8)): u8 and utf8 are of different kinds; the new A.x (map(u8, utf8)) cannot be read as the old A.x (map(u8, u8)): utf8 and u8 are of different kinds",
    ]);
    expect(why(schema("A", array("x", U8)), schema("A", array("x", U8, 3)))).toEqual([
      "the old A.x (array(u8)) cannot be read as the new A.x (array(u8, 3)): their lengths differ",
    ]);
  });

  test("fields that only one schema has, and null", () => {
    expect(why(schema("A"), schema("A", u8("x")))).toEqual([
      "the old A has no x, and the new A.x (u8) is required and has no default",
    ]);
    expect(why(schema("A"), schema("A", ref("p", schema("P", omitNull(u8("a")), u8("b")))))).toEqual([
      "the old A has no p, and the new P.b (u8) is required and has no default",
    ]);
    expect(why(schema("A", omitNull(u8("x"))), schema("A", u8("x")))).toEqual([
      "the old A.x may be null, but the new A.x is required and has no default",
    ]);
  });

  test("unknown names: a default would replace them in a field of that type", () => {
    expect(why(schema("A", enumeration("e", "a")), schema("A", enumeration("e", "a", "b", "c")))).toEqual([
      "the new A.e may hold one of b, c, which the old A.e does not have, and it has no default",
    ]);
  });
});

test("invalid schemas throw", () => {
  const broken = schema("A", u8("x"), u8("x"));
  for (const act of [() => compare(broken, schema("A")), () => compare(schema("A"), broken)]) {
    expect(caughtOurs(act).code).toBe("ERR_SCHEMA");
  }
});

test("long lists of names are cut", () => {
  const names = Array.from({ length: 20 }, (_, i) => `n${i}`);
  expect(said(schema("A", enumeration("e", "n0")), schema("A", enumeration("e", ...names)))).toEqual([
    "changed A.e: values added: n1, n2, n3, n4, n5, n6, 13 more | yes depends",
  ]);
  expect(said(schema("A", utf8("e")), schema("A", enumeration("e", "x".repeat(100))))[0]).toContain(
    `enumeration(${"x".repeat(40)}..)`,
  );
  expect(said(schema("A", array("e", U8)), schema("A", array("e", U16)))).toEqual([
    "changed A.e: u8 became u16 | yes no",
  ]);
});
