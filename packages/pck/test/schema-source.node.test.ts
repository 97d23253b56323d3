/** Schemas as TypeScript modules: valid, of the same fingerprint, and with the same modifiers. */

import { caughtOurs } from "@moonpack/harness/caught.ts";
import * as pck from "@moonpack/pck";
import { schemaSource } from "@moonpack/pck/emit";
import { infer } from "@moonpack/pck/infer";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { RANDOM, randomCases } from "./harness/random-cases.ts";
import { complaints } from "./harness/typescript.ts";

const { array, doc, fingerprint, fromDocument, map, omitNull, ref, renamed, schema, toDocument, union } = pck;
const { bytes, enumeration, f64, nullable, omitEmpty, omitZero, U64, U8, UTF8, u8, uvar64, withDefault } = pck;

/** The schemas that a module exports. */
function exportsOf(source: string): Record<string, pck.AnySchema> {
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
  const { outputText } = ts.transpileModule(source, { compilerOptions });
  const module = { exports: {} };
  const load = (name: string) => {
    expect(name).toBe("@moonpack/pck");
    return pck;
  };
  new Function("module", "exports", "require", outputText)(module, module.exports, load);
  return module.exports;
}

/** True if a union of several arms has one whose name is an integer. */
function hasIntegerArm(document: unknown): boolean {
  let found = false;
  JSON.stringify(document, (key, value) => {
    if (key === "union" && value.length > 1) found ||= value.some(([arm]: [string]) => /^\d+$/.test(arm));
    return value;
  });
  return found;
}

interface Node {
  value: number;
  next: Node | null;
}
const Node: pck.Schema<Node> = schema("Node", u8("value"), omitNull(ref("next", () => Node)));
const Point = doc(schema("Point", doc(f64("x"), 'east */ "x"'), f64("y")), "Two\nlines.");
const EVERYTHING = schema(
  "Map",
  enumeration("state", "new", 'it\'s "old"'),
  omitNull(omitEmpty(array("list", nullable(U8)))),
  renamed(omitZero(uvar64("a b")), "older", "oldest"),
  withDefault(
    map("prices", UTF8, nullable(U64)),
    new Map([
      ["a", 1n],
      ["b", null],
    ]),
  ),
  withDefault(bytes("key", 3), Uint8Array.of(1, 2, 3)),
  withDefault(f64("ratio"), -0),
  withDefault(omitNull(f64("none")), null),
  union("shape", { point: Point, "a node": Node, nothing: schema() }, "a kind"),
  withDefault(ref("at", Point), { x: 0.5, y: Number.NaN }),
  ref("class", schema("class", u8("__proto__"))),
);

describe("a schema as a module", () => {
  test("declares the same schema", () => {
    const { Map2: again } = exportsOf(schemaSource(EVERYTHING));
    expect(toDocument(again!)).toEqual(toDocument(EVERYTHING));
  });

  test("declares random schemas", () => {
    let declared = 0;
    for (const { doc: document } of randomCases({ ...RANDOM, schemas: 300, values: 0 })) {
      if (hasIntegerArm(document)) continue;
      const given = fromDocument(document as pck.SchemaDocument);
      const found = Object.values(exportsOf(schemaSource(given)));
      expect(found.map((one) => String(fingerprint(one)))).toContain(String(fingerprint(given)));
      declared++;
    }
    expect(declared).toBeGreaterThan(10);
  });

  test("is valid TypeScript, also where schemas contain themselves", () => {
    const tree = { name: "a", kids: [{ name: "b", kids: [{ name: "c" }] }] };
    const sum = (left: unknown, right: unknown) => ({ type: "Sum", left, right });
    const body = [sum({ type: "Number", value: 1 }, sum({ type: "Number", value: 2 }, { type: "Number", value: 3 }))];
    const samples = [[tree], [{ body, maps: new Map([[1, { a: [tree] }]]) }]];
    const sources = [EVERYTHING, ...samples.map((list) => infer(list).document)].map(schemaSource);
    const files = new Map(sources.map((source, index) => [`${import.meta.dirname}/made-${index}.ts`, source]));
    expect(complaints(files)).toEqual([]);
  });

  test("is valid TypeScript for structs with names of types and of modules", () => {
    const names = [
      ...["string", "number", "boolean", "any", "never", "object", "unknown", "symbol", "bigint", "undefined", "null"],
      ...["as", "asserts", "from", "module", "namespace", "declare", "is", "keyof", "infer", "readonly", "unique"],
      ...["abstract", "accessor", "satisfies", "using", "out", "override", "intrinsic", "global", "require", "exports"],
      ...["__esModule", "Promise", "Object", "Partial", "Record", "Iterable", "Date", "Infer", "Schema", "schema"],
    ];
    const files = new Map<string, string>();
    for (const [index, name] of names.entries()) {
      const flat = schema(name, u8("x"), array("list", pck.REF(schema("Other", u8("x")))));
      const Deep: pck.AnySchema = schema(name, u8("x"), omitNull(ref("me", () => Deep)));
      for (const [kind, each] of [flat, Deep].entries()) {
        const source = schemaSource(each);
        files.set(`${import.meta.dirname}/named-${index}-${kind}.ts`, source);
        expect(Object.values(exportsOf(source)).map((one) => one.name)).toContain(name);
      }
    }
    expect(complaints(files)).toEqual([]);
  });

  test("is valid TypeScript with Maps of names as defaults", () => {
    const State = pck.ENUMERATION("x", "y");
    const Shape = pck.UNION({ point: Point, nothing: schema("Nothing") });
    const Counts = schema("Counts", withDefault(map("of", UTF8, State), new Map([["a", "x"]] as const)));
    const maps = schema(
      "Maps",
      withDefault(map("lists", UTF8, pck.ARRAY(nullable(State))), new Map([["a", ["x", null]]] as const)),
      withDefault(map("shapes", pck.I32, Shape), new Map([[-1, { kind: "nothing" }]] as const)),
      withDefault(
        map("refs", UTF8, nullable(pck.REF(Counts))),
        new Map([["a", { of: new Map([["b", "y"]] as const) }]]),
      ),
      withDefault(array("maps", pck.MAP(UTF8, State)), [new Map([["a", "x"]] as const)]),
      withDefault(map("bytes", UTF8, pck.BYTES()), new Map([["a", Uint8Array.of(1)]])),
    );
    const source = schemaSource(maps);
    expect(complaints(new Map([[`${import.meta.dirname}/maps.ts`, source]]))).toEqual([]);
    expect(toDocument(exportsOf(source).Maps!)).toEqual(toDocument(maps));
  });

  test("a union of arms named by integers has no such form", () => {
    const arms = {
      union: [
        ["1", "A"],
        ["2", "A"],
      ],
    };
    const document = { pck: 1, root: "R", structs: { A: { fields: [] }, R: { fields: [{ name: "u", type: arms }] } } };
    expect(caughtOurs(() => schemaSource(document as unknown as pck.SchemaDocument)).code).toBe("ERR_SCHEMA");
  });
});
