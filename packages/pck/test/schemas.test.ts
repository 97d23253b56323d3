/** The DSL: fields, modifiers and their errors. */

import { fault } from "@moonpack/harness/caught.ts";
import { toHex } from "@moonpack/harness/hex.ts";
import * as pck from "@moonpack/pck";
import { bundle, codec, fingerprint, fromDocument, type SchemaDocument, schema, toDocument } from "@moonpack/pck";
import { expect, test } from "vitest";

test.each<[string, unknown, RegExp]>([
  ["a schema", schema("Address", pck.utf8("street")), /^User\.past: a schema is not a type: write REF\(Address\)/],
  ["a schema without a name", schema(pck.u8("a")), /write REF\(\.\.\)/],
  ["a field", pck.omitNull(pck.u8("a")), /a field is not a type: write U8/],
  ["a function", pck.BYTES, /call it, as in BYTES\(\)/],
  ["a function of a schema", () => schema("Address"), /write REF\(\(\) => \.\.\)/],
  ["a name", "u8", /unknown type "u8": types are constants, such as U8/],
])("%s in the place of a type: the error says what to write", (_, given, text) => {
  for (const type of [given, pck.ARRAY(given as never), pck.nullable(given as never)])
    expect(() => codec(schema("User", pck.array("past", type as never)))).toThrow(text);
  expect(fault(() => codec(schema("User", pck.map("m", pck.U8, given as never))))).toEqual({ code: "ERR_SCHEMA" });
});

test("lists of fields are flattened, nulls are dropped", () => {
  const flat = schema(pck.u8("a"), pck.u8("b"), pck.u8("c"));
  const nested = schema([pck.u8("a"), null, [[pck.u8("b")], null]], null, pck.u8("c"));
  expect(toHex(fingerprint(nested))).toBe(toHex(fingerprint(flat)));
  expect(schema("Named", pck.u8("a")).name).toBe("Named");
  expect(schema(pck.u8("a")).name).toBe("");
});

test("modifiers return a new field and do not change the given one", () => {
  const field = pck.utf8("t");
  const changed = pck.doc(
    pck.renamed(pck.withDefault(pck.omitNull(pck.omitEmpty(field)), "x"), "old", "older"),
    "text",
  );
  expect(field.omit).toEqual([]);
  expect(field.hasDefault).toBe(false);
  expect(changed.omit).toEqual(["empty", "null"]);
  expect(changed.renamed).toEqual(["old", "older"]);
  expect(changed.doc).toBe("text");
  expect(toDocument(pck.doc(schema("S", changed), "a schema"))).toEqual({
    pck: 1,
    root: "S",
    structs: {
      S: {
        doc: "a schema",
        fields: [
          { name: "t", type: "utf8", omit: ["null", "empty"], default: "x", renamed: ["old", "older"], doc: "text" },
        ],
      },
    },
  });
});

test("schemas with equal fields are different, and get different names in documents", () => {
  const A = schema("Same", pck.u8("x"));
  const B = schema("Same", pck.u8("y"));
  const both = schema(pck.ref("a", A), pck.ref("b", B), pck.ref("again", A));
  const { root, structs } = toDocument(both);
  expect(root).toBe("Root");
  expect(Object.keys(structs).join()).toBe("Root,Same,Same2");
  expect(codec(both).decode(codec(both).encode({ a: { x: 1 }, b: { y: 2 }, again: { x: 3 } }))).toEqual({
    a: { x: 1 },
    b: { y: 2 },
    again: { x: 3 },
  });
});

test("an invalid schema is ERR_SCHEMA, at its first use at the latest", () => {
  const u8 = pck.u8 as (name: unknown) => ReturnType<typeof pck.u8>;
  const acts: (() => unknown)[] = [
    () => fingerprint(schema(pck.u8("a"), pck.u8("a"))),
    () => fingerprint(schema(u8(""))),
    () => fingerprint(schema(u8(5))),
    () => fingerprint(schema(pck.u8("\ud800"))),
    () => fingerprint(schema(pck.array("a", pck.BYTES as never))),
    () => fingerprint(schema(pck.array("a", undefined as never))),
    () => fingerprint(schema(pck.array("a", pck.U8, 0))),
    () => fingerprint(schema(pck.bytes("a", 65_536))),
    () => fingerprint(schema(pck.enumeration("a"))),
    () => fingerprint(schema(pck.union("a", {}))),
    () => fingerprint(schema(pck.ref("a", {} as never))),
    () => fingerprint(schema(pck.ref("a", () => 5 as never))),
    () =>
      fingerprint(
        schema(
          pck.ref("a", () => {
            throw new Error("later");
          }),
        ),
      ),
    () => fingerprint(schema(pck.map("a", pck.F64, pck.U8))),
    () => fingerprint(schema(pck.omitNull(pck.bool("a") as never))),
    () => fingerprint(schema(pck.omitZero(pck.utf8("a") as never))),
    () => fingerprint(schema(pck.omitZero(pck.omitZero(pck.u8("a"))))),
    () => fingerprint(schema(pck.withDefault(pck.u8("a"), 256))),
    () => fingerprint(schema(pck.renamed(pck.u8("a"), "a"))),
    () => schema({} as never),
    () => schema(undefined as never),
    () => pck.omitNull({} as never),
    () => bundle({ A: schema(pck.u8("a"), pck.u8("a")) }),
  ];
  for (const act of acts) expect(fault(act), String(act)).toEqual({ code: "ERR_SCHEMA" });
});

test("arms whose order an object does not keep throw; documents keep it", () => {
  const [A, B] = [schema("A", pck.u8("a")), schema("B", pck.u8("b"))];
  for (const name of ["0", "9", "10", "4294967294"]) {
    const act = () => pck.union("u", { x: A, [name]: B });
    expect(fault(act), name).toEqual({ code: "ERR_SCHEMA" });
    expect(act).toThrow(`a union's arm "${name}": JavaScript sorts names that are integers`);
    expect(fault(() => pck.UNION({ x: A, [name]: B }))).toEqual({ code: "ERR_SCHEMA" });
  }
  // Properties with these names keep their order; a single arm has none.
  const kept = ["01", "-1", "1.5", "1e3", "4294967295", "a"];
  const union = pck.UNION(Object.fromEntries(kept.map((name) => [name, A])));
  expect(union.kind === "union" && union.arms.map(([name]) => name)).toEqual(kept);
  expect(() => fingerprint(schema("S", pck.union("u", { "10": A })))).not.toThrow();
  const arms = [
    ["10", "A"],
    ["9", "B"],
  ] as const;
  const document: SchemaDocument = {
    pck: 1,
    root: "U",
    structs: {
      U: { fields: [{ name: "u", type: { union: arms } }] },
      A: { fields: [{ name: "a", type: "u8" }] },
      B: { fields: [{ name: "b", type: "u8" }] },
    },
  };
  expect(toDocument(fromDocument(document))).toEqual(document);
  expect([...codec(document).encode({ u: { kind: "9", b: 7 } } as never)]).toEqual([1, 7]);
});

test("a list of fields that contains itself", () => {
  const list: unknown[] = [pck.u8("a")];
  list.push(list);
  expect(fault(() => schema(list as never))).toEqual({ code: "ERR_SCHEMA" });
});

test("a schema cannot be changed", () => {
  const values = ["a", "b"];
  const S = schema("S", pck.array("list", pck.ENUMERATION(...(values as ["a", "b"]))));
  const before = toHex(fingerprint(S));
  values.push("c");
  expect(Object.isFrozen(S) && Object.isFrozen(S.fields) && Object.isFrozen(S.fields[0])).toBe(true);
  expect(toHex(fingerprint(schema("S", ...S.fields)))).toBe(before);
});

test("defaults are copied for each value; later changes by the caller have no effect", () => {
  const list = [1, 2];
  const S = schema("S", pck.withDefault(pck.array("list", pck.U8), list));
  const document = JSON.stringify(toDocument(S));
  list.push(3);
  expect(JSON.stringify(toDocument(S))).toBe(document);
});

test("an invalid type of keys: the error lists the valid ones", () => {
  const act = () => codec(schema("S", pck.map("m", pck.F64, pck.U8)));
  expect(act).toThrow("S.m: a map's keys must be integers, utf8, ascii or enumerations, not f64");
});
