/**
 * Emitted modules, in JavaScript and in TypeScript with its types stripped: all vectors and random schemas give the
 * same bytes and errors. The types are checked in emit.node.test.ts.
 */

import { fault } from "@moonpack/harness/caught.ts";
import { each, equal } from "@moonpack/harness/each.ts";
import { share } from "@moonpack/harness/effort.ts";
import { fromHex } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { codec, type SchemaDocument } from "@moonpack/pck";
import { emit, emitGo, type JavaScriptOptions } from "@moonpack/pck/emit";
import { beforeAll, describe, expect, test } from "vitest";
import { type BytesCase, check, checkRefused, named } from "./harness/cases.ts";
import { same } from "./harness/codec-pair.ts";
import { emittedEngine } from "./harness/emitted.ts";
import type { PckEndpoint, PckEngine } from "./harness/engines.ts";
import { byteCases, refusedCases, schemaCases } from "./harness/files.ts";
import { RANDOM, randomCases } from "./harness/random-cases.ts";
import { spoiled } from "./harness/spoil.ts";

interface Row {
  readonly doc: SchemaDocument;
  readonly cases: readonly BytesCase[];
}

const OWN = ["types", "keys", "modifiers", "layout", "depth", "counts"];
const vectors = bySchema(byteCases("value.jsonl", "rejected.jsonl", ...OWN.map((name) => `own/${name}.jsonl`)));
const random = [...randomCases(RANDOM)];
const refusals = bySchema(refusedCases());
const documents = [...vectors, ...random, ...refusals].map(({ doc }) => doc);

/** Groups cases by schema, so that each module is emitted once. */
function bySchema<T extends { readonly doc: SchemaDocument }>(
  cases: readonly T[],
): readonly { readonly doc: SchemaDocument; readonly cases: readonly T[] }[] {
  const rows = new Map<string, { doc: SchemaDocument; cases: T[] }>();
  for (const one of cases) {
    const key = JSON.stringify(one.doc);
    const row = rows.get(key) ?? { doc: one.doc, cases: [] };
    rows.set(key, row);
    row.cases.push(one);
  }
  return [...rows.values()];
}

function run(engine: PckEngine, rows: readonly Row[]): void {
  each(named(rows, "schema"), ({ doc, cases }) => {
    const endpoint = engine.open(doc);
    each(named(cases, JSON.stringify(doc).slice(0, 400)), (one) => check(one, endpoint));
  });
}

const OPTIONS: readonly JavaScriptOptions[] = [{ target: "js" }, { target: "ts", runtime: "beside" }];

for (const options of OPTIONS) {
  describe(JSON.stringify(options), () => {
    let engine: PckEngine;
    beforeAll(async () => {
      engine = await emittedEngine(options, documents);
    });

    test("vectors", () => run(engine, vectors));

    test("random schemas", () => run(engine, random));

    test("invalid values: vectors, and random values with one invalid part", () => {
      const some = random.filter(({ refused }) => refused.length > 0);
      each(named(some, "schema"), ({ doc, refused }) => {
        const endpoint = engine.open(doc);
        each(named(refused, JSON.stringify(doc).slice(0, 400)), (one) => checkRefused(one, endpoint));
      });
      each(named(refusals, "own/refused.jsonl"), ({ doc, cases }) => {
        const endpoint = engine.open(doc);
        each(named(cases, "case"), (one) => checkRefused(one, endpoint));
      });
    });

    test("values with one invalid part give the code and path that closures give", () => {
      const source = randomSource(17);
      let refused = 0;
      each(named(random, "schema"), ({ doc, cases }) => {
        const plain = codec<unknown, unknown>(doc, { codeGeneration: false }) as PckEndpoint;
        const endpoint = engine.open(doc);
        for (const { kind, bytes } of cases) {
          if (kind !== "value") continue;
          for (let i = 0; i < 2; i++) {
            const value = spoiled(source, plain.decode(fromHex(bytes)));
            const wanted = () => plain.encode(value);
            if (!isDone(wanted)) refused++;
            same(() => endpoint.encode(value), wanted, JSON.stringify(doc).slice(0, 400));
          }
        }
      });
      expect(refused).toBeGreaterThan(share(2000));
    });
  });
}

test("an invalid document throws before anything is emitted", () => {
  const documents = schemaCases("schema.jsonl", "own/schema.jsonl").filter((one) => one.error !== undefined);
  each(documents, ({ doc, error }) => {
    // An object without a version could be a bundle. A value of another type is a wrong argument.
    const isDocument = typeof doc === "object" && doc !== null && Object.hasOwn(doc, "pck");
    const wanted = isDocument ? error : { code: "ERR_INVALID_ARGUMENT" };
    equal(
      fault(() => emit(doc as SchemaDocument, { target: "ts" })),
      wanted,
    );
    equal(
      fault(() => emitGo(doc as SchemaDocument, { package: "p" })),
      wanted,
    );
  });
});

function isDone(act: () => unknown): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}
