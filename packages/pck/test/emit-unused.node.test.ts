/** Emitted TypeScript compiles with checks for unused names: every kind of field, and schemas of the vectors. */

import { isWhole } from "@moonpack/harness/effort.ts";
import {
  array,
  bool,
  bytes,
  enumeration,
  f32,
  f64,
  i64,
  ivar,
  map,
  nullable,
  omitEmpty,
  omitNull,
  omitZero,
  REF,
  ref,
  type Schema,
  type SchemaDocument,
  schema,
  U8,
  UTF8,
  UVAR,
  u8,
  u16,
  union,
  utf8,
  uvar,
  uvar64,
} from "@moonpack/pck";
import { emit, type JavaScriptOptions } from "@moonpack/pck/emit";
import { expect, test } from "vitest";
import { load } from "./harness/emitted.ts";
import { byteCases } from "./harness/files.ts";
import { withPlainNames } from "./harness/plain-names.ts";
import { complaints } from "./harness/typescript.ts";

const UNUSED = { noUnusedLocals: true, noUnusedParameters: true };
/** Every fourth schema of the vectors: all of them take the compiler too long. A share has fewer still. */
const EVERY = isWhole ? 4 : 48;
/** The fewest schemas that may remain. */
const LEFT = isWhole ? 100 : 8;

/** The errors of TypeScript in these modules, which share one run time. */
function unusedIn(
  schemas: readonly (Schema<unknown, never> | SchemaDocument)[],
  options: Partial<JavaScriptOptions> = {},
) {
  const files = new Map<string, string>();
  for (const [i, one] of schemas.entries()) {
    const [module, runtime] = emit(one, { target: "ts", runtime: "beside", ...options });
    files.set(`/module-${i}.ts`, module!.text);
    files.set("/pck-runtime.ts", runtime!.text);
  }
  return complaints(files, UNUSED);
}

const Empty = schema("Empty");
const Node: Schema<unknown, never> = schema("Node", omitNull(ref("next", () => Node))) as never;

const FIELDS = [
  ...[bool("x"), u8("x"), u16("x"), uvar("x"), ivar("x"), i64("x"), uvar64("x"), f32("x"), f64("x"), utf8("x")],
  ...[bytes("x"), bytes("x", 4), enumeration("x", "a", "b"), array("x", U8), array("x", UTF8, 3)],
  ...[array("x", nullable(UVAR)), map("x", UTF8, U8), map("x", U8, nullable(UTF8)), array("x", REF(Node))],
  ...[omitZero(u8("x")), omitZero(f32("x")), omitZero(i64("x")), omitEmpty(utf8("x")), omitEmpty(array("x", U8))],
  ...[omitNull(enumeration("x", "a", "b")), omitNull(ref("x", Empty)), union("x", { a: Empty, b: Node })],
];

test("each kind of field alone, after another one, and in an inlined struct", () => {
  const all = FIELDS.map((field) => [
    schema("Alone", field),
    schema("Behind", utf8("a"), f64("b"), field),
    schema("Around", ref("inner", schema("Inner", field))),
  ]);
  // A share has each field in one of the three places.
  const schemas = isWhole ? all.flat() : all.map((places, i) => places[i % 3]!);
  expect(unusedIn([Empty, Node, ...schemas])).toEqual([]);
  expect(unusedIn(schemas.slice(0, 30), { int64: "number", maps: "object", binary: "view" })).toEqual([]);
});

test("a union whose discriminator is a name on Object.prototype", () => {
  const arms = { a: schema("A", u8("k")), b: schema("B") };
  const schemas = ["constructor", "__proto__", "toString"].map((name) => schema("R", union("u", arms, name)));
  expect(unusedIn(schemas)).toEqual([]);
  const { encodeR, decodeR } = load(emit(schemas[0]!, { target: "ts", runtime: "beside" })) as Record<
    string,
    (value: unknown) => unknown
  >;
  const value = { u: { constructor: "a", k: 7 } };
  expect(decodeR!(encodeR!(value))).toEqual(value);
  for (const u of [{}, { constructor: undefined }, { constructor: Object }])
    expect(() => encodeR!({ u })).toThrow(expect.objectContaining({ code: "ERR_UNSUPPORTED_TYPE" }));
});

test("schemas of the vectors", () => {
  const names = ["value", ...["types", "keys", "modifiers", "layout"].map((name) => `own/${name}`)];
  const documents = new Map(
    byteCases(...names.map((name) => `${name}.jsonl`)).map(({ doc }) => [JSON.stringify(doc), withPlainNames(doc)]),
  );
  const some = [...documents.values()].filter((_, i) => i % EVERY === 0);
  expect(some.length).toBeGreaterThan(LEFT);
  expect(unusedIn(some)).toEqual([]);
});
