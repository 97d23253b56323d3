/** Callers change schemas, documents, defaults and options after a call: the change has no effect. */

import { fault } from "@moonpack/harness/caught.ts";
import { bytesWithLength } from "@moonpack/harness/false-length.ts";
import { toHex } from "@moonpack/harness/hex.ts";
import * as pck from "@moonpack/pck";
import { describe, expect, test } from "vitest";

interface Changeable {
  structs: Record<string, { fields: Record<string, unknown>[] }>;
}

/** A document that can be changed, and the list of its fields. */
function documentOf(schema: pck.AnySchema): { document: pck.SchemaDocument; fields: Record<string, unknown>[] } {
  const document = JSON.parse(JSON.stringify(pck.toDocument(schema))) as pck.SchemaDocument;
  return { document, fields: (document as unknown as Changeable).structs["S"]!.fields };
}

describe("documents that change after fromDocument", () => {
  test("the values of an enumeration", () => {
    const { document, fields } = documentOf(pck.schema("S", pck.enumeration("e", "a", "b")));
    const schema = pck.fromDocument(document) as pck.Schema<{ e: string }>;
    const before = pck.codec(schema);
    (fields[0]!["type"] as { enumeration: string[] }).enumeration.splice(0, 2, "b", "a", "c");
    for (const codec of [before, pck.codec(schema), pck.codec(pck.schema("T", pck.ref("s", schema)))]) {
      const value = codec === before ? { e: "b" } : codec.schema.name === "T" ? { s: { e: "b" } } : { e: "b" };
      expect(toHex((codec as pck.Codec<unknown, unknown>).encode(value))).toBe("01");
    }
    expect(pck.toDocument(schema).structs["S"]!.fields[0]!.type).toEqual({ enumeration: ["a", "b"] });
  });

  test("a default", () => {
    const { document, fields } = documentOf(
      pck.schema("S", pck.withDefault(pck.array("list", pck.U8), [1, 2]), pck.u8("x")),
    );
    const schema = pck.fromDocument(document);
    (fields[0]!["default"] as unknown[]).push("no number");
    const older = pck.schema("S", pck.u8("x"));
    expect(pck.resolve(older, schema).decode(new Uint8Array([7]))).toEqual({ list: [1, 2], x: 7 });
  });

  test("a default that is not JSON throws", () => {
    const { document, fields } = documentOf(pck.schema("S", pck.withDefault(pck.u8("x"), 1)));
    for (const none of [() => 1, [() => 1], Symbol("s")]) {
      fields[0]!["default"] = none;
      expect(fault(() => pck.fromDocument(document)).code).toBe("ERR_SCHEMA");
    }
  });
});

describe("schemas that change", () => {
  test("the arms of a union", () => {
    const A = pck.schema("A", pck.u8("x"));
    const type = pck.UNION({ a: A, b: A });
    const arms = (type as unknown as { arms: [string, unknown][] }).arms;
    expect(Reflect.set(arms[0]!, 0, "b")).toBe(false);
    expect(toHex(pck.codec(pck.schema("S", pck.union("u", { a: A, b: A }))).encode({ u: { kind: "b", x: 1 } }))).toBe(
      "0101",
    );
  });

  test("types made by hand are read once for each model", () => {
    const values = ["a", "b"];
    const list = pck.ARRAY({ kind: "enumeration", values } as unknown as pck.Type<string, string>);
    const schema = pck.schema("S", pck.array("l", list));
    for (const codeGeneration of [true, false]) {
      const codec = pck.codec(schema, { codeGeneration });
      const bytes = codec.encode({ l: [["b"]] });
      values.reverse();
      expect(toHex(codec.encode({ l: [["b"]] }))).toBe(toHex(bytes));
      expect(codec.decode(bytes)).toEqual({ l: [["b"]] });
      values.reverse();
    }
  });

  test("a default is copied by withDefault", () => {
    const list = [1, 2];
    const bytes = new Uint8Array([1]);
    const map = new Map([["k", { x: 1 }]]);
    const Point = pck.schema("Point", pck.u8("x"));
    const newer = pck.schema(
      "S",
      pck.u8("id"),
      pck.withDefault(pck.array("list", pck.U8), list),
      pck.withDefault(pck.bytes("bytes"), bytes),
      pck.withDefault(pck.map("map", pck.UTF8, pck.REF(Point)), map),
    );
    list.push(3);
    bytes[0] = 9;
    map.get("k")!.x = 300;
    map.clear();
    expect(pck.resolve(pck.schema("S", pck.u8("id")), newer).decode(new Uint8Array([7]))).toEqual({
      id: 7,
      list: [1, 2],
      bytes: new Uint8Array([1]),
      map: new Map([["k", { x: 1 }]]),
    });
    expect(fault(() => pck.withDefault(pck.u8("x"), (() => 1) as never)).code).toBe("ERR_SCHEMA");
  });
});

describe("containers", () => {
  const S = pck.schema("S", pck.i64("n"));
  const bytes = pck.encodeContainer(
    S,
    Array.from({ length: 1500 }, (_, i) => ({ n: i })),
  );

  test("options that change while a reader is in use", () => {
    const options: { int64: "number" | "bigint"; reader?: pck.SchemaInput<{ n: number }> } = { int64: "number" };
    const reader = new pck.ContainerReader<{ n: number }>(options);
    reader.push(bytes.subarray(0, 3));
    options.int64 = "bigint";
    options.reader = pck.schema("Other", pck.i64("other")) as never;
    const types = new Set([...reader.push(bytes.subarray(3))].map(({ n }) => typeof n));
    expect([...types]).toEqual(["number"]);
  });

  test("a head that the caller changes", () => {
    const reader = new pck.ContainerReader();
    reader.push(bytes.subarray(0, 500));
    const { head } = reader;
    expect(Reflect.set(head!, "schema", pck.schema("Other", pck.u8("other")))).toBe(false);
    expect(Reflect.set(head!, "size", 3)).toBe(false);
    expect([...reader.push(bytes.subarray(500))]).toHaveLength(1500);
  });
});

test("bytes of a class that overrides `length` are written completely", () => {
  for (const length of [0, 2, 40, 1.5]) {
    const b = bytesWithLength(length);
    for (const codeGeneration of [true, false]) {
      const counted = pck.codec(pck.schema("S", pck.bytes("b"), pck.u8("x")), { codeGeneration });
      counted.encode({ b: new Uint8Array(100).fill(9), x: 1 });
      expect(toHex(counted.encode({ b, x: 5 }))).toBe("0503010203");
      const fixed = pck.codec(pck.schema("S", pck.bytes("b", 3), pck.u8("x")), { codeGeneration });
      expect(toHex(fixed.encode({ b, x: 5 }))).toHaveLength(8);
    }
  }
});
