import { Random } from "../../workloads/random.js";
import { zipf } from "../service/zipf.js";

/** How the messages of many schemas follow each other. */
export type Draw = "turns" | "zipf";

/** Both, with their titles. */
export const DRAWS: Readonly<Record<Draw, string>> = { turns: "by turns", zipf: "by Zipf" };

/**
 * So many numbers of schemas. By turns: each schema once in every round, in an order that differs from round to round.
 * By Zipf: a seed ranks the schemas, and the frequency of a schema is that of its rank by Zipf's law.
 */
export function drawSchemas(draw: Draw, schemas: number, count: number, seed: number): number[] {
  const random = new Random(seed);
  const all = Array.from({ length: schemas }, (_, index) => index);
  if (draw === "zipf") {
    const ranked = random.shuffle(all);
    const rank = zipf(schemas);
    return Array.from({ length: count }, () => ranked[rank(random)]!);
  }
  const drawn: number[] = [];
  while (drawn.length < count) drawn.push(...random.shuffle(all));
  return drawn.slice(0, count);
}
