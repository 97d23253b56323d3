/** Values that came in another format: `check`, `fromJSON` and Standard Schemas. Their memory is bounded by what was sent. */

import { caught, fault } from "@moonpack/harness/caught.ts";
import { collidingKeys, KINDS_OF_KEYS } from "@moonpack/harness/colliding-keys.ts";
import * as pck from "@moonpack/pck";
import { decode, encode } from "moonpack";
import { EncodeError } from "moonpack/bytes";
import { describe, expect, test } from "vitest";

const { array, codec, f64, map, omitEmpty, omitNull, REF, schema, standard, utf8, U8, U32, F64, U64, UTF8 } = pck;

const hundred = Array.from({ length: 100 }, (_, i) => omitEmpty(utf8(`f${i}`)));
const List = schema("List", [array("v", REF(schema("Item", hundred)))]);

describe("values of another format", () => {
  const Shape = schema("Shape", f64("size"), omitNull(utf8("name")), map("tags", UTF8, U8));

  test("are returned as decode returns them", () => {
    const value = { size: 1, tags: { b: 2, a: 1 }, unknown: true };
    const tags = new Map(Object.entries({ a: 1, b: 2 }));
    expect(codec(Shape).check(decode(encode(value)))).toEqual({ size: 1, name: null, tags });
    expect(codec(Shape, { maps: "object" }).check(value)).toEqual({ size: 1, name: null, tags: { a: 1, b: 2 } });
    expect(fault(() => codec(Shape).check({ ...value, tags: { a: 256 } }))).toMatchObject({
      code: "ERR_OUT_OF_RANGE",
      path: `$.tags["a"]`,
    });
  });

  test("views of bytes are not overwritten by the next value", () => {
    const views = codec(schema("Bytes", pck.bytes("b")), { binary: "view" });
    const validate = standard(schema("Bytes", pck.bytes("b")), { binary: "view" })["~standard"].validate;
    for (const read of [(b: Uint8Array) => views.check({ b }), (b: Uint8Array) => validated(validate({ b }))]) {
      const first = read(Uint8Array.of(1, 2));
      read(Uint8Array.of(3, 4));
      expect(first.b).toEqual(Uint8Array.of(1, 2));
    }
  });

  test.each([0, 1000, 100_000])("lists of %i small numbers that take eight bytes each are valid", (count) => {
    const list = Array.from({ length: count }, (_, i) => i % 100);
    const numbers = codec(schema("Numbers", array("v", F64)));
    expect(numbers.check(decode(encode({ v: list }))).v).toEqual(list);
    expect(numbers.fromJSON({ v: list }).v).toEqual(list);
  });

  test.each([
    ["check", (v: unknown) => codec(List).check({ v })],
    ["fromJSON", (v: unknown) => codec(List).fromJSON({ v })],
    ["standard", (v: unknown) => validated(standard(List)["~standard"].validate({ v }))],
  ])("%s: records with a few of a hundred fields are valid, records without fields are not", (_, read) => {
    const records = (value: unknown) => new Array(50_000).fill(value);
    expect(read(records({ f1: "some text", f7: "more of it" })).v).toHaveLength(50_000);
    expect(read(new Array(20_000).fill({})).v).toHaveLength(20_000);
    expect(fault(() => read(records({})))).toMatchObject({ code: "ERR_LIMIT_ELEMENTS", path: "$" });
  });

  test("maxElements limits them, and Infinity trusts them", () => {
    const v = new Array(50_000).fill({});
    expect(codec(List, { maxElements: Infinity }).check({ v }).v).toHaveLength(50_000);
    expect(codec(List, { maxElements: 2_000_000 }).check({ v }).v).toHaveLength(50_000);
    expect(fault(() => codec(List, { maxElements: 49_999 }).check({ v }))).toMatchObject({ path: "$" });
  });

  test("a large value with an unknown property that contains itself ends", () => {
    const value: Record<string, unknown> = { v: new Array(20_000).fill({}) };
    value["self"] = value;
    expect(codec(List).check(value).v).toHaveLength(20_000);
  });

  test("a codec can be called from a getter of the value", () => {
    const texts = codec(schema("Text", utf8("t")));
    const value = {
      get t() {
        return texts.check({ t: "inner" }).t + "!";
      },
    };
    expect(texts.check(value)).toEqual({ t: "inner!" });
  });
});

describe("keys that were chosen to collide are refused", () => {
  const Keys: { readonly [kind in "integers" | "bigints"]: pck.Type<number | bigint, never> } = {
    integers: U32,
    bigints: U64,
  };

  test.each(["integers", "bigints"] as const)("in the JSON form: %s", (kind) => {
    const root = schema("Keys", map("m", Keys[kind], U8));
    const pairs = pairsOf(collidingKeys(129, KINDS_OF_KEYS[kind]));
    const ordinary = pairsOf(Array.from({ length: 2000 }, (_, i) => KINDS_OF_KEYS[kind](i)));
    expect(fault(() => codec(root).fromJSON({ m: pairs }))).toMatchObject({
      code: "ERR_LIMIT_ELEMENTS",
      path: expect.stringMatching(/^\$\.m\[/),
    });
    expect(codec(root).fromJSON({ m: ordinary }).m.size).toBe(2000);
    expect(codec(root).fromJSON({ m: pairs.slice(0, 128) }).m.size).toBe(128);
  });

  test.each(["alone", "with structs"])("in defaults of a schema document: %s", (where) => {
    const value = where === "alone" ? "u8" : { ref: "Item" };
    const json = where === "alone" ? 1 : { x: 1 };
    const entries = collidingKeys(129, KINDS_OF_KEYS.bigints).map((key) => [String(key), json]);
    const document = (list: readonly unknown[]): pck.SchemaDocument => ({
      pck: 1,
      root: "Root",
      structs: {
        Root: { fields: [{ name: "m", type: { map: ["u64", value as "u8"] }, default: list as never }] },
        Item: { fields: [{ name: "x", type: "u8" }] },
      },
    });
    expect(fault(() => codec(document(entries)))).toMatchObject({ code: "ERR_SCHEMA" });
    expect(String(caught(() => codec(document(entries))))).toContain("chosen to collide");
    expect(() => codec(document(entries.slice(0, 128)))).not.toThrow();
  });
});

describe("maps of the JSON form", () => {
  test("may be objects if their keys are text", () => {
    const root = schema("Maps", map("a", UTF8, U8), map("b", pck.ENUMERATION("x", "y"), U8), map("c", U8, U8));
    const value = codec(root).fromJSON(JSON.parse('{"a":{"":1,"__proto__":2,"1023":3},"b":{"x":1},"c":[[1,1]]}'));
    expect([...value.a].sort()).toEqual([["", 1], ["1023", 3], ["__proto__", 2]]); // biome-ignore format: one line
    expect(value.b).toEqual(new Map([["x", 1]]));
    expect(fault(() => codec(root).fromJSON({ a: {}, b: { z: 1 }, c: [] }))).toMatchObject({ path: `$.b["z"]` });
    expect(fault(() => codec(root).fromJSON({ a: {}, b: {}, c: { 1: 1 } }))).toMatchObject({
      code: "ERR_UNSUPPORTED_TYPE",
      path: "$.c",
    });
  });
});

function pairsOf(keys: readonly (number | bigint)[]): [unknown, number][] {
  return keys.map((key) => [typeof key === "bigint" ? String(key) : key, 1]);
}

function validated<T>(result: { readonly value: T } | { readonly issues: readonly { message: string }[] }): T {
  if ("value" in result) return result.value;
  throw new EncodeError("ERR_LIMIT_ELEMENTS", result.issues[0]!.message, "$");
}
