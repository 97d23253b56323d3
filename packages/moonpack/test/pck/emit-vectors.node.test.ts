/** Emitted modules: the vectors and random schemas, byte for byte, error for error; TypeScript with its run time beside it. */
import type { JavaScriptOptions } from "moonpack/pck/emit";
import { describe, expect, test } from "vitest";
import { caughtOurs } from "../harness/caught.ts";
import { each } from "../harness/each.ts";
import { type BytesCase, check, named } from "../harness/pck/cases.ts";
import { emittedEngine } from "../harness/pck/emitted.ts";
import type { PckEndpoint } from "../harness/pck/engines.ts";
import { byteCases } from "../harness/pck/files.ts";
import { RANDOM, randomCases } from "../harness/pck/random-cases.ts";
import type { SchemaDocument } from "../harness/pck/shape.ts";

const OWN = ["types", "keys", "modifiers", "layout", "depth", "counts"];
const vectors = byteCases("value.jsonl", "rejected.jsonl", ...OWN.map((name) => `own/${name}.jsonl`));
const schemas = [...randomCases({ ...RANDOM, schemas: 200 })];

/** Runs cases on modules; answers how many schemas have structs with names that JavaScript cannot have. */
function run(
  options: JavaScriptOptions,
  rows: readonly { readonly doc: SchemaDocument; readonly cases: readonly BytesCase[] }[],
): number {
  const engine = emittedEngine(options);
  let refused = 0;
  each(named(rows, "schema"), ({ doc, cases }) => {
    let endpoint: PckEndpoint;
    try {
      endpoint = engine.open(doc);
    } catch (error) {
      expect(caughtOurs(() => engine.open(doc)).code, String(error)).toBe("ERR_SCHEMA");
      refused++;
      return;
    }
    each(named(cases, JSON.stringify(doc).slice(0, 400)), (one) => check(one, endpoint));
  });
  return refused;
}

/** Cases that follow each other and are of one schema. */
function bySchema(cases: readonly BytesCase[]): { doc: SchemaDocument; cases: BytesCase[] }[] {
  const rows = new Map<string, { doc: SchemaDocument; cases: BytesCase[] }>();
  for (const one of cases) {
    const key = JSON.stringify(one.doc);
    const row = rows.get(key) ?? { doc: one.doc, cases: [] };
    rows.set(key, row);
    row.cases.push(one);
  }
  return [...rows.values()];
}

describe("JavaScript", () => {
  test("vectors", () => {
    const rows = bySchema(vectors);
    expect(run({ target: "js" }, rows)).toBeLessThan(rows.length / 10);
  });

  test("random schemas", () => {
    expect(run({ target: "js" }, schemas)).toBeLessThan(schemas.length / 5);
  });
});

describe("TypeScript, its run time beside it", () => {
  test("vectors: a third", () => {
    const rows = bySchema(vectors).filter((_, i) => i % 3 === 0);
    expect(run({ target: "ts", runtime: "beside" }, rows)).toBeLessThan(rows.length / 10);
  });

  test("random schemas: some", () => {
    const some = schemas.slice(0, 40);
    expect(run({ target: "ts", runtime: "beside" }, some)).toBeLessThan(some.length / 5);
  });
});
