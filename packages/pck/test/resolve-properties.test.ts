/** Properties of `resolve` and `compare` for any schema. */

import { fault } from "@moonpack/harness/caught.ts";
import { none } from "@moonpack/harness/each.ts";
import { share } from "@moonpack/harness/effort.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { differ } from "@moonpack/harness/same.ts";
import { type CodecOptions, codec, compare, fromDocument, resolve, toDocument } from "@moonpack/pck";
import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeReference } from "./harness/encode.ts";
import { Layout } from "./harness/layout.ts";
import { mutate } from "./harness/mutate.ts";
import { evolved } from "./harness/random-evolution.ts";
import { randomSchema } from "./harness/random-schemas.ts";
import { randomValue } from "./harness/random-values.ts";
import type { SchemaDocument } from "./harness/shape.ts";

/** A schema, a later one, and messages of the first: valid ones, then damaged ones. */
const schemas = fc.nat().map((seed) => {
  const random = randomSource(seed);
  const doc = randomSchema(random, "any");
  const layout = new Layout(doc);
  const whole = Array.from({ length: 2 }, (_, n) => encodeReference(layout, randomValue(random, layout, 5 + 25 * n)));
  const damaged = Array.from({ length: 8 }, (_, n) => mutate(random, whole[n % 2]!));
  return { doc, later: evolved(random, doc), whole, damaged };
});

const options: fc.Arbitrary<CodecOptions> = fc.record({
  int64: fc.constantFrom("bigint", "number"),
  maps: fc.constantFrom("map", "object"),
  typedArrays: fc.boolean(),
  binary: fc.constantFrom("copy", "view"),
  maxDepth: fc.constantFrom(3, 512),
});

const RUNS = { numRuns: 100, seed: 20261122 };

/** Fails unless both give the same value or error. */
function same(mine: () => unknown, theirs: () => unknown): void {
  let value: unknown;
  try {
    value = theirs();
  } catch {
    expect(fault(mine)).toEqual(fault(theirs));
    return;
  }
  none(differ(mine(), value));
}

test("a schema resolved to itself decodes like its codec, with every option", () => {
  const property = fc.property(schemas, options, ({ doc, whole, damaged }, given) => {
    const own = codec<unknown, unknown>(doc, { ...given, codeGeneration: false });
    const decoder = resolve<unknown, unknown>(doc, doc, given);
    for (const message of [...whole, ...damaged]) {
      const bytes = Uint8Array.from(message);
      same(
        () => decoder.decode(bytes),
        () => own.decode(bytes),
      );
    }
  });
  fc.assert(property, RUNS);
});

test("skipped fields are checked", () => {
  const nothing: SchemaDocument = { pck: 1, root: "Nothing", structs: { Nothing: { fields: [] } } };
  const property = fc.property(schemas, ({ doc, whole, damaged }) => {
    const own = codec<unknown, unknown>(doc, { codeGeneration: false });
    const decoder = resolve<unknown, unknown>(doc, nothing, { int64: "number" });
    const prefixes = whole.flatMap((bytes) => bytes.map((_, end) => bytes.slice(0, end)));
    for (const message of [...prefixes, ...damaged]) {
      const bytes = Uint8Array.from(message);
      same(
        () => decoder.decode(bytes),
        () => own.decode(bytes) && {},
      );
    }
    none(differ(decoder.decode(Uint8Array.from(whole[1]!)), {}));
  });
  fc.assert(property, RUNS);
});

test("every prefix throws the error of the writer's own decoder", () => {
  let compared = 0;
  const property = fc.property(schemas, ({ doc, later, whole }) => {
    if (compare(doc, later).some((change) => change.newReadsOld !== "yes")) return;
    compared++;
    const own = codec<unknown, unknown>(doc, { codeGeneration: false });
    const decoder = resolve<unknown, unknown>(doc, later);
    for (const message of whole) {
      for (let end = 0; end < message.length; end++) {
        const bytes = Uint8Array.from(message.slice(0, end));
        expect(fault(() => decoder.decode(bytes))).toEqual(fault(() => own.decode(bytes)));
      }
    }
  });
  fc.assert(property, RUNS);
  expect(compared).toBeGreaterThan(share(30));
});

test("a schema has no changes from itself, also with other names of structs", () => {
  const property = fc.property(schemas, ({ doc }) => {
    expect(compare(doc, doc)).toEqual([]);
    expect(compare(doc, fromDocument(JSON.stringify(toDocument(doc))))).toEqual([]);
    const names = new Map(Object.keys(doc.structs).map((name, i) => [name, `Other${i}`]));
    const others = JSON.parse(JSON.stringify(doc), (key, value: unknown) =>
      key === "ref" && typeof value === "string" ? names.get(value) : value,
    ) as SchemaDocument;
    const structs = Object.entries(others.structs).map(([name, { fields }]) => [names.get(name)!, { fields }] as const);
    const arms = (union: readonly (readonly [string, string])[]) => union.map(([arm, name]) => [arm, names.get(name)!]);
    const renamed = JSON.parse(
      JSON.stringify({ pck: 1, root: names.get(doc.root), structs: Object.fromEntries(structs) }),
      (key, value: unknown) => (key === "union" && Array.isArray(value) ? arms(value) : value),
    ) as SchemaDocument;
    expect(compare(doc, renamed)).toEqual([]);
  });
  fc.assert(property, RUNS);
});
