/**
 * The options of a codec, alone and combined: random schemas and values, compared with the reference model, for
 * closures and generated code. generated.node.test.ts compares these two for damaged bytes.
 */

import { fault } from "@moonpack/harness/caught.ts";
import { each, equal, none } from "@moonpack/harness/each.ts";
import { share } from "@moonpack/harness/effort.ts";
import { bytesDiffer, fromHex } from "@moonpack/harness/hex.ts";
import { differ } from "@moonpack/harness/same.ts";
import * as pck from "@moonpack/pck";
import { type AnySchema, type Codec, type CodecOptions, codec, fromDocument } from "@moonpack/pck";
import { codeGeneration } from "@moonpack/pck/codegen";
import { describe, expect, test } from "vitest";
import { named } from "./harness/cases.ts";
import { decodeReference } from "./harness/decode.ts";
import { Layout } from "./harness/layout.ts";
import { randomCases } from "./harness/random-cases.ts";
import { type Forms, UnsafeInteger, valueOfJson } from "./harness/values.ts";

type Any = Codec<unknown, unknown>;

const schemas = [...randomCases({ seed: 12, schemas: 80, values: 3, mutations: 1, names: "any" })];
const WAYS = [
  ["closures", false],
  ["generated", codeGeneration],
] as const;

/** Returns the model's value; undefined where an integer is not safe. */
function wanted(doc: pck.SchemaDocument, json: Parameters<typeof valueOfJson>[1], forms: Forms): unknown {
  try {
    return valueOfJson(doc, json, forms);
  } catch (error) {
    if (error instanceof UnsafeInteger) return undefined;
    throw error;
  }
}

const FORMS: readonly Forms[] = [
  {},
  { int64: "number" },
  { maps: "object" },
  { typedArrays: true },
  { int64: "number", maps: "object", typedArrays: true },
];

for (const [name, way] of WAYS) {
  describe(name, () => {
    for (const forms of FORMS) {
      test(`read and written as ${JSON.stringify(forms)}`, () => {
        let unsafe = 0;
        each(named(schemas, "schema"), ({ doc, cases }) => {
          const one = codec(doc, { ...forms, codeGeneration: way } as CodecOptions) as Any;
          for (const { bytes: hex, ...rest } of cases) {
            if (rest.kind !== "value") continue;
            const bytes = fromHex(hex);
            const value = wanted(doc, rest.value, forms);
            if (value === undefined) {
              unsafe++;
              equal(fault(() => one.decode(bytes)).code, "ERR_UNSAFE_INTEGER");
              continue;
            }
            none(differ(one.decode(bytes), value), "decoded");
            none(bytesDiffer(one.encode(value), bytes), "encoded");
            // Values that were decoded with other options are written too.
            none(bytesDiffer(one.encode(valueOfJson(doc, rest.value, { typedArrays: true })), bytes), "typed");
          }
        });
        if (forms.int64 === "number") expect(unsafe).toBeGreaterThan(share(20));
        else expect(unsafe).toBe(0);
      });
    }

    test("maxDepth: the model's result at every depth; encoder and decoder stop at the same depth", () => {
      each(named(schemas.slice(0, 60), "schema"), ({ doc, cases }) => {
        const layout = new Layout(doc);
        for (const maxDepth of [1, 2, 3, 5]) {
          const one = codec(doc, { maxDepth, codeGeneration: way }) as Any;
          for (const { bytes: hex, ...rest } of cases) {
            if (rest.kind !== "value") continue;
            const bytes = fromHex(hex);
            const found = decodeReference(layout, [...bytes], maxDepth);
            const value = valueOfJson(doc, rest.value);
            if ("error" in found) {
              const { code, offset, needMore = 0 } = found.error;
              equal(
                fault(() => one.decode(bytes)),
                { code, offset, needMore },
              );
              equal(fault(() => one.encode(value)).code, "ERR_LIMIT_DEPTH");
            } else {
              none(differ(one.decode(bytes), value));
              none(bytesDiffer(one.encode(value), bytes));
            }
          }
        }
      });
    });

    test("binary: views are in the input, copies are not; everything else is the same", () => {
      each(named(schemas, "schema"), ({ doc, cases }) => {
        const [views, copies] = (["view", "copy"] as const).map(
          (binary) => codec(doc, { binary, codeGeneration: way }) as Any,
        ) as [Any, Any];
        for (const { bytes: hex, kind } of cases) {
          if (kind !== "value") continue;
          const bytes = fromHex(hex);
          none(differ(views.decode(bytes), copies.decode(bytes)));
          for (const part of binaries(views.decode(bytes))) {
            if (part.length > 0) equal(part.buffer === bytes.buffer, true);
          }
          for (const part of binaries(copies.decode(bytes))) equal(part.buffer === bytes.buffer, false);
        }
      });
    });

    test("classes: results are instances with the properties of plain objects", () => {
      class Root {
        get isOurs(): boolean {
          return true;
        }
      }
      each(named(schemas, "schema"), ({ doc, cases }) => {
        const schema = fromDocument(doc) as AnySchema & pck.Schema<unknown, unknown>;
        const plain = codec(schema, { codeGeneration: way }) as Any;
        const one = codec(schema, { classes: new Map([[schema as AnySchema, Root]]), codeGeneration: way }) as Any;
        for (const { bytes: hex, kind } of cases) {
          if (kind !== "value") continue;
          const bytes = fromHex(hex);
          const value = one.decode(bytes) as Root;
          if (!(value instanceof Root) || Object.getPrototypeOf(value) !== Root.prototype) throw new Error("no Root");
          none(differ(Object.keys(value).sort(), Object.keys(plain.decode(bytes) as object).sort()), "own properties");
          none(bytesDiffer(one.encode(value), bytes));
        }
      });
    });
  });
}

/** Returns all bytes within a value. */
function binaries(value: unknown): readonly Uint8Array[] {
  if (value instanceof Uint8Array) return [value];
  if (typeof value !== "object" || value === null) return [];
  if (value instanceof Map) return [...value.values()].flatMap(binaries);
  return Object.values(value).flatMap(binaries);
}

test("unknown options and invalid values are ERR_INVALID_ARGUMENT; undefined is the default", () => {
  const S = pck.schema(pck.u8("x"));
  const wrong: Record<string, unknown[]> = {
    int64: ["auto", 1, null, true],
    maps: ["Map", 1, null],
    typedArrays: [1, "yes", null],
    binary: ["buffer", null],
    maxDepth: [0, -1, 1.5, 4097, "5", Number.NaN, Infinity, null],
    validate: [0, "no", null],
    classes: [{}, [], new Map([[1, class {}]]), new Map([[S, 1]]), null],
    codeGeneration: [1, "yes", null, {}],
  };
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      expect(
        fault(() => codec(S, { [name]: value } as never)),
        `${name}: ${String(value)}`,
      ).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
    expect(codec(S, { [name]: undefined } as never).decode(Uint8Array.of(7))).toEqual({ x: 7 });
  }
});

test("classes of schemas that the codec does not reach throw, with the name", () => {
  const Inner = pck.schema("Inner", pck.u8("x"));
  const Outer = pck.schema("Outer", pck.omitNull(pck.ref("inner", Inner)));
  const Other = pck.doc(Inner, "another schema of the same fields");
  const classesOf = (schema: unknown) => ({ classes: new Map([[schema, class {}]]) }) as never;
  for (const schema of [Inner, Outer]) expect(() => codec(Outer, classesOf(schema))).not.toThrow();
  for (const [schema, name] of [
    [Other, "the schema Inner"],
    [pck.schema(pck.u8("x")), "a schema without a name"],
  ] as const) {
    for (const act of [
      () => codec(Outer, classesOf(schema)),
      () => pck.resolve(Outer, Outer, classesOf(schema)),
      () => pck.decodeContainer(pck.encodeContainer(Outer, []), classesOf(schema)),
    ]) {
      expect(fault(act)).toEqual({ code: "ERR_INVALID_ARGUMENT" });
      expect(act).toThrow(`classes has ${name}, which`);
    }
  }
});
