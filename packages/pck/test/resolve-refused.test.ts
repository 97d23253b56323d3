/** Schemas that do not fit: `resolve` throws `ERR_SCHEMA` with both names; and deeply nested schemas. */

import { caughtOurs } from "@moonpack/harness/caught.ts";
import {
  array,
  bool,
  compare,
  enumeration,
  I8,
  nullable,
  omitEmpty,
  omitNull,
  ref,
  resolve,
  type Schema,
  schema,
  U8,
  u8,
  u16,
  union,
  utf8,
  withDefault,
} from "@moonpack/pck";
import { describe, expect, test } from "vitest";

function refusal(writer: Schema<unknown, never>, reader: Schema<unknown, never>): string {
  const error = caughtOurs(() => resolve(writer, reader));
  expect(error.code).toBe("ERR_SCHEMA");
  return error.message;
}

describe("errors name both schemas", () => {
  test("types", () => {
    expect(refusal(schema("Old", array("v", U8)), schema("New", array("v", I8)))).toBe(
      "the writer's Old.v (array(u8)) cannot be read as the reader's New.v (array(i8)): i8 does not hold every u8",
    );
    expect(refusal(schema("Old", array("v", nullable(U8))), schema("New", array("v", U8)))).toContain("nullable(u8)");
    expect(refusal(schema("Old", enumeration("v", "a")), schema("New", utf8("v")))).toContain("enumeration(a)");
  });

  test("added fields", () => {
    expect(refusal(schema("Old"), schema("New", u8("v")))).toBe(
      "the writer's Old has no v, and the reader's New.v (u8) is required and has no default",
    );
  });

  test("null", () => {
    const text = refusal(schema("Old", omitNull(u8("v"))), schema("New", u8("v")));
    expect(text).toContain("the writer's Old.v may be null");
    expect(text).toContain("the reader's New.v is required");
  });
});

describe("rules", () => {
  test("a required ref has no absent value, even if its struct could be filled", () => {
    const S = schema("S", withDefault(u8("x"), 1));
    expect(resolve(schema("R"), schema("R", ref("s", S))).decode(new Uint8Array(0))).toEqual({ s: { x: 1 } });
    refusal(schema("R", omitNull(ref("s", S))), schema("R", ref("s", S)));
  });

  test("null becomes the default, or the value of an absent field", () => {
    const Old = schema(omitNull(utf8("v")));
    const absent = Uint8Array.of(0);
    expect(resolve(Old, schema(withDefault(utf8("v"), "d"))).decode(absent)).toEqual({ v: "d" });
    expect(resolve(Old, schema(omitEmpty(utf8("v")))).decode(absent)).toEqual({ v: "" });
  });

  test("an arm of the same name whose struct cannot be read", () => {
    const Old = schema("R", union("u", { a: schema("A", u16("x")), b: schema("B") }));
    const text = refusal(Old, schema("R", withDefault(union("u", { a: schema("A", u8("x")) }), { kind: "a", x: 1 })));
    expect(text).toContain("A.x");
  });

  test("structs that no message reaches are not compared", () => {
    const Old = schema("R", bool("x"), omitNull(ref("gone", schema("G", u16("y")))));
    expect(resolve(Old, schema("R", bool("x"))).decode(Uint8Array.of(2))).toEqual({ x: true });
  });
});

/** Nested structs; the innermost has a given field. */
function chain(count: number, last: Parameters<typeof schema>[0]): Schema<unknown, never> {
  const structs: Schema<unknown, never>[] = [];
  for (let i = 0; i < count; i++) {
    const fields = [u8("v"), omitNull(ref("next", () => structs[i + 1]!))];
    structs.push(schema(`S${i}`, i === count - 1 ? [last as never] : fields) as unknown as Schema<unknown, never>);
  }
  return structs[0]!;
}

describe("4,096 nested structs", () => {
  test("a problem in the innermost is found at once", () => {
    expect(refusal(chain(4096, u16("v") as never), chain(4096, u8("v") as never))).toContain("S4095.v");
  });

  test("values are read", () => {
    const decoder = resolve(chain(4096, u8("v") as never), chain(4096, u16("v") as never));
    expect(decoder.decode(Uint8Array.of(1, 5, 0, 6))).toEqual({ v: 5, next: { v: 6, next: null } });
    expect(compare(chain(4096, u8("v") as never), chain(4096, u16("v") as never))).toEqual([
      {
        kind: "changed",
        path: "S4095.v",
        text: "u8 became u16",
        newReadsOld: "yes",
        oldReadsNew: "no",
        why: "the new S4095.v (u16) cannot be read as the old S4095.v (u8): u8 does not hold every u16",
      },
    ]);
  });
});
