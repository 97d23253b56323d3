import { Random } from "../../workloads/random.js";
import { zipf } from "../service/zipf.js";

/** How the messages of many schemas follow each other. */
export type SchemaOrder = "turns" | "zipf";

/** Both, with their titles. */
export const SCHEMA_ORDERS: Readonly<Record<SchemaOrder, string>> = { turns: "by turns", zipf: "by Zipf" };

/**
 * Returns `count` numbers of schemas. By turns: each schema once in every round, in an order that differs from round to round.
 * By Zipf: a seed ranks the schemas, and a schema's frequency follows its rank by Zipf's law.
 */
export function schemaSequence(order: SchemaOrder, schemas: number, count: number, seed: number): number[] {
  const random = new Random(seed);
  const all = Array.from({ length: schemas }, (_, index) => index);
  if (order === "zipf") {
    const ranked = random.shuffle(all);
    const rank = zipf(schemas);
    return Array.from({ length: count }, () => ranked[rank(random)]!);
  }
  const sequence: number[] = [];
  while (sequence.length < count) sequence.push(...random.shuffle(all));
  return sequence.slice(0, count);
}
