/** Untrusted schema documents: each one is a schema or throws ERR_SCHEMA, in a short time. */

import { fault } from "@moonpack/harness/caught.ts";
import { share } from "@moonpack/harness/effort.ts";
import { toHex } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import type * as pck from "@moonpack/pck";
import { codec, fingerprint, fromDocument, MoonpackError, type SchemaDocument, toDocument } from "@moonpack/pck";
import { describe, expect, test } from "vitest";
import { mutate } from "./harness/mutate.ts";
import { randomSchema } from "./harness/random-schemas.ts";

/** Returns a document of `count` structs; `field` makes the one field of each. */
function structs(count: number, field: (i: number) => unknown, root = "S0"): SchemaDocument {
  const entries = Array.from({ length: count }, (_, i) => [`S${i}`, { fields: [field(i)] }] as const);
  return { pck: 1, root, structs: Object.fromEntries(entries) } as SchemaDocument;
}

const refused = { code: "ERR_SCHEMA" };

describe("sizes", () => {
  test("4,096 structs, each refers to the next: optional, required, in reverse order", () => {
    const last = { name: "v", type: "u8" };
    const next = (i: number, omit: object) => (i === 4095 ? last : { name: "n", type: { ref: `S${i + 1}` }, ...omit });
    const before = (i: number) => (i === 0 ? last : { name: "n", type: { ref: `S${i - 1}` } });
    for (const doc of [
      structs(4096, (i) => next(i, { omit: ["null"] })),
      structs(4096, (i) => next(i, {})),
      structs(4096, before, "S4095"),
    ]) {
      expect(fingerprint(doc).length).toBe(8);
      expect(toHex(fingerprint(fromDocument(toDocument(doc))))).toBe(toHex(fingerprint(doc)));
      expect(fault(() => codec(doc).decode(new Uint8Array(5000).fill(1))).code).toMatch(/LIMIT_DEPTH|TRAILING/);
    }
    // All refs are required: every value is this deep.
    const deep = codec<unknown, unknown>(
      structs(4096, (i) => next(i, {})),
      { maxDepth: 4096 },
    );
    const value = deep.decode(Uint8Array.of(7));
    expect(deep.encode(value).join()).toBe("7");
    expect(fault(() => codec(structs(4096, (i) => next(i, {}))).decode(Uint8Array.of(7))).code).toBe("ERR_LIMIT_DEPTH");
  });

  test("4,097 structs", () => {
    expect(fault(() => fromDocument(structs(4097, () => ({ name: "v", type: "u8" }))))).toEqual(refused);
  });

  test("a cycle of 4,096 structs has no finite value; with one optional ref it has", () => {
    const ring = (i: number) => ({ name: "n", type: { ref: `S${(i + 1) % 4096}` } });
    expect(fault(() => fromDocument(structs(4096, ring)))).toEqual(refused);
    expect(fromDocument(structs(4096, (i) => (i === 2000 ? { ...ring(i), omit: ["null"] } : ring(i))))).toBeDefined();
  });

  test("structs that all refer to each other, by unions", () => {
    const arms = Array.from({ length: 400 }, (_, i) => [`a${i}`, `S${i}`]);
    const doc = structs(400, (i) => (i === 399 ? { name: "v", type: "u8" } : { name: "u", type: { union: arms } }));
    expect(fingerprint(doc).length).toBe(8);
    expect(fault(() => fromDocument(structs(400, () => ({ name: "u", type: { union: arms } }))))).toEqual(refused);
  });

  test("a union of 150,000 arms; four structs that refer to one 32,000 times each", () => {
    const arms = Array.from({ length: share(150_000) }, (_, i) => [`a${i}`, "S1"]);
    const wide = structs(2, (i) => (i === 0 ? { name: "u", type: { union: arms } } : { name: "v", type: "u8" }));
    expect(codec<unknown, unknown>(wide).decode(Uint8Array.of(2, 7))).toEqual({ u: { kind: "a2", v: 7 } });
    const refs = Array.from({ length: share(32_000) }, (_, i) => ({
      name: `f${i}`,
      type: { ref: "S" },
      omit: ["null"],
    }));
    const itself = { name: "s", type: { ref: "S" }, omit: ["null"] };
    const R = { fields: ["A", "B", "C", "D"].map((name) => ({ name, type: { ref: name }, omit: ["null"] })) };
    const many = {
      pck: 1,
      root: "R",
      structs: {
        R,
        A: { fields: refs },
        B: { fields: refs },
        C: { fields: refs },
        D: { fields: refs },
        S: { fields: [itself] },
      },
    };
    const none = { A: null, B: null, C: null, D: null };
    expect(codec<unknown, unknown>(many as unknown as SchemaDocument).decode(Uint8Array.of(0))).toEqual(none);
  });

  test("65,535 fields, and one more", () => {
    const fields = (count: number) =>
      Array.from({ length: count }, (_, i) => ({
        name: `f${i}`,
        type: i % 2 === 0 ? "bool" : "u8",
        omit: i % 2 === 0 ? [] : ["zero"],
      }));
    const doc = { pck: 1, root: "R", structs: { R: { fields: fields(65_535) } } } as const;
    const large = codec<Record<string, unknown>, unknown>(doc as unknown as SchemaDocument, { codeGeneration: false });
    const value = large.decode(new Uint8Array(8192));
    expect(Object.keys(value).length).toBe(65_535);
    expect(large.encode(value).length).toBe(8192);
    const over = { pck: 1, root: "R", structs: { R: { fields: fields(65_536) } } };
    expect(fault(() => fromDocument(over as unknown as SchemaDocument))).toEqual(refused);
  });

  test("sizes that multiply beyond all limits", () => {
    let type: unknown = "u64";
    for (let i = 0; i < 63; i++) type = { array: type, length: 65_535 };
    const doc = structs(2, (i) => ({ name: "v", type: i === 0 ? { array: { ref: "S1" } } : type }));
    const huge = codec<unknown, unknown>(doc);
    expect(huge.decode(Uint8Array.of(0))).toEqual({ v: [] });
    expect(fault(() => huge.decode(Uint8Array.of(1, 0))).code).toBe("ERR_LIMIT_ELEMENTS");
    const chain = structs(1000, (i) => ({
      name: "v",
      type: i === 999 ? "u8" : { array: { ref: `S${i + 1}` }, length: 65_535 },
    }));
    expect(fault(() => codec(chain).decode(new Uint8Array(10))).code).toBe("ERR_LIMIT_ELEMENTS");
    const all = codec(chain, { maxElements: Infinity });
    expect(fault(() => all.decode(new Uint8Array(10))).code).toBe("ERR_LIMIT_DEPTH");
  });

  test("text nested 100,000 deep throws, in the library or in JSON.parse", () => {
    for (const [open, close] of [
      ['{"array":', "}"],
      ['{"nullable":', "}"],
      ["[", "]"],
    ]) {
      const type = `${open!.repeat(100_000)}"u8"${close!.repeat(100_000)}`;
      const text = `{"pck":1,"root":"R","structs":{"R":{"fields":[{"name":"v","type":${type}}]}}}`;
      expect(fault(() => fromDocument(text))).toEqual(refused);
      const inDefault = `{"pck":1,"root":"R","structs":{"R":{"fields":[{"name":"v","type":"u8","default":${type}}]}}}`;
      expect(fault(() => fromDocument(inDefault))).toEqual(refused);
    }
  });

  test("a default nested 3,000 deep in a recursive schema", () => {
    let value: object = { n: null };
    for (let i = 0; i < 3000; i++) value = { n: value };
    const field = { name: "n", type: { ref: "S0" }, omit: ["null"], default: value };
    expect(fault(() => fromDocument(structs(1, () => field)))).toEqual(refused);
  });
});

describe("names", () => {
  test("names of Object.prototype are valid names", () => {
    const text =
      '{"pck":1,"root":"__proto__","structs":{"__proto__":{"fields":[{"name":"__proto__","type":{"ref":"toString"}},{"name":"constructor","type":{"enumeration":["__proto__","toString"]}}]},"toString":{"fields":[{"name":"valueOf","type":{"map":["utf8","u8"]}}]}}}';
    const odd = codec<Record<string, unknown>, unknown>(
      fromDocument(text) as pck.AnySchema as pck.Schema<Record<string, unknown>, unknown>,
      { maps: "object" },
    );
    const value = JSON.parse('{"__proto__":{"valueOf":{"__proto__":1,"a":2}},"constructor":"toString"}') as Record<
      string,
      unknown
    >;
    const back = odd.decode(odd.encode(value));
    expect(JSON.stringify(back)).toBe(JSON.stringify(value));
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
    expect(Object.hasOwn(back, "__proto__")).toBe(true);
    expect(JSON.stringify(toDocument(fromDocument(text)))).toBe(text);
    // Inherited: missing.
    expect(fault(() => odd.encode({})).code).toBe("ERR_UNSUPPORTED_TYPE");
  });

  test("names cannot break out of generated code", () => {
    const names = ['"]);throw 1//', "`$&`", "*/throw 1;/*", "\u2028", "\n", "\\", "'", '"', "</script>", "__proto__"];
    const fields = names.map((name) => ({ name, type: "u8", doc: name }));
    const doc = { pck: 1, root: names[0]!, structs: Object.fromEntries([[names[0]!, { fields, doc: names[2]! }]]) };
    for (const codeGeneration of [true, false]) {
      const one = codec<unknown, unknown>(doc as SchemaDocument, { codeGeneration });
      const value = Object.fromEntries(names.map((name, i) => [name, i]));
      expect(one.encode(value).join()).toBe(names.map((_, i) => i).join());
      expect(JSON.stringify(one.decode(one.encode(value)))).toBe(JSON.stringify(value));
    }
  });
});

test("2,000 damaged documents: a schema or ERR_SCHEMA", () => {
  const random = randomSource(7);
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  let schemas = 0;
  for (let i = 0; i < share(100); i++) {
    const bytes = [...encoder.encode(JSON.stringify(randomSchema(random, "any")))];
    for (let n = 0; n < 20; n++) {
      const text = decoder.decode(Uint8Array.from(mutate(random, n % 2 === 0 ? bytes : mutate(random, bytes))));
      try {
        fromDocument(text);
        schemas++;
      } catch (error) {
        if (!(error instanceof MoonpackError) || error.code !== "ERR_SCHEMA") throw new Error(text, { cause: error });
      }
    }
  }
  expect(schemas).toBeGreaterThan(share(50));
});

test("values that are not documents", () => {
  for (const value of [null, undefined, 1, true, "", "null", "[]", "{", [], {}, () => 1, new Map(), Symbol("s")]) {
    expect(
      fault(() => fromDocument(value as never)),
      String(value),
    ).toEqual(refused);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    for (const act of [codec, fingerprint, toDocument] as readonly ((value: never) => unknown)[]) {
      expect(
        fault(() => act(value as never)),
        String(value),
      ).toEqual(isObject ? refused : { code: "ERR_INVALID_ARGUMENT" });
    }
  }
});
