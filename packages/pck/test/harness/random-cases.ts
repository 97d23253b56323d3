/**
 * Random schemas with values and damaged bytes, and the reference model's outcome of each. The same seed gives the same
 * cases on every machine. Every engine runs them.
 */
import { share } from "@moonpack/harness/effort.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import type { BytesCase } from "./cases.ts";
import { decodeReference } from "./decode.ts";
import { encodeReference } from "./encode.ts";
import { fingerprintReference } from "./fingerprint.ts";
import { Layout } from "./layout.ts";
import { mutate, zeroed } from "./mutate.ts";
import { type Names, randomSchema } from "./random-schemas.ts";
import { randomValue } from "./random-values.ts";
import { type RefusedCase, refusals } from "./refusals.ts";
import type { Json, SchemaDocument } from "./shape.ts";
import { hexOf } from "./text.ts";

/** Numbers of cases. */
export interface RandomCases {
  readonly seed: number;
  readonly schemas: number;
  /** Values of each schema; the first has about the least size. */
  readonly values: number;
  /** Damaged forms of each value's bytes. */
  readonly mutations: number;
  readonly names: Names;
}

/** The numbers that the suites use. */
export const RANDOM: RandomCases = { seed: 20261122, schemas: 500, values: 3, mutations: 8, names: "any" };

/** One schema and its cases. */
export interface SchemaCases {
  readonly doc: SchemaDocument;
  readonly fingerprint: string;
  readonly cases: readonly BytesCase[];
  /** Values with one invalid place. */
  readonly refused: readonly RefusedCase[];
}

/** Invalid variants of each value. */
const REFUSED = 3;

/** The cases, schema by schema. */
export function* randomCases({ seed, schemas, values, mutations, names }: RandomCases): Generator<SchemaCases> {
  const random = randomSource(seed);
  // A separate random source: their number does not change the other cases.
  const wrong = randomSource(seed + 1);
  for (let s = 0; s < share(schemas); s++) {
    const doc = randomSchema(random, names);
    const layout = new Layout(doc);
    const cases: BytesCase[] = [];
    const refused: RefusedCase[] = [];
    for (let v = 0; v < values; v++) {
      const given = randomValue(random, layout, 25 * v * v);
      const bytes = encodeReference(layout, given);
      cases.push(caseOf(layout, bytes, given));
      const ways = [...refusals(doc, given)];
      for (let n = 0; n < Math.min(REFUSED, ways.length); n++) refused.push(ways[wrong(ways.length)]!());
      for (let m = 0; m < mutations; m++) cases.push(caseOf(layout, (m === 0 ? zeroed : mutate)(random, bytes)));
    }
    yield { doc, fingerprint: fingerprintReference(layout), cases, refused };
  }
}

/** Returns the case of bytes. `given`: the value that they were made from. */
export function caseOf(layout: Layout, bytes: readonly number[], given?: Json): BytesCase {
  const { doc } = layout;
  const decoded = decodeReference(layout, bytes);
  const hex = hexOf(bytes);
  if ("error" in decoded) {
    if (given !== undefined)
      throw new Error(`the model refuses what it wrote: ${JSON.stringify({ doc, given, decoded })}`);
    return { kind: "rejected", doc, bytes: hex, error: decoded.error };
  }
  const { value } = decoded;
  if (hexOf(encodeReference(layout, value)) !== hex) return { kind: "read", doc, bytes: hex, value };
  return { kind: "value", doc, value, ...(given === undefined ? {} : { given }), bytes: hex };
}
