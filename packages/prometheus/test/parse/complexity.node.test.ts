/**
 * The work on a query grows in proportion to its length. Executed blocks of the package are counted (harness/work.ts), never timed.
 * Lengths 16 times apart are compared: the exponent of the growth is below 1.1.
 */

import { randomSource } from "@moonpack/harness/random.ts";
import { startCounting } from "@moonpack/harness/work.ts";
import { expect, test } from "vitest";
import { randomText } from "../harness/random-text.ts";

const blocksOf = await startCounting();
// Imported after the start, because only code compiled after it is counted.
const { parseQuery, printQuery } = await import("@moonpack/prometheus");

const QUERIES: [name: string, make: (length: number) => string][] = [
  ["conditions", (n) => `a{${'b="c",'.repeat(n)}}`],
  ["labels", (n) => `a + on(${"b,".repeat(n)}) group_left(${"c,".repeat(n)}) d`],
  ["arguments", (n) => `label_join(a, "b"${', "c"'.repeat(n)})`],
  ["escape sequences", (n) => `"${"\\xc3\\xa4\\n\\377".repeat(n)}"`],
  ["a string", (n) => `"${"ä".repeat(n)}"`],
  ["comments", (n) => `${"# (\n ".repeat(n)}1`],
  ["digits", (n) => `1${"_0".repeat(n)}`],
  ["a duration", (n) => `${"1h".repeat(n)}`],
  ["a word before many blanks", (n) => `fill${" ".repeat(n)} + fill_left${" ".repeat(n)}`],
  ["lines before an error", (n) => `${"\n".repeat(n)}$`],
  ["open parentheses", (n) => "(".repeat(n)],
  ["quotes", (n) => `${"'\"".repeat(n)}`],
  ["random tokens", (n) => `sum by (${randomText(randomSource(n), n)}`],
  ["random tokens in a string", (n) => `"${randomText(randomSource(n), n).replaceAll(/["\\\n\ud800]/g, "")}"`],
];

/** Parses and prints a query, or has it refused. */
function read(query: string): void {
  try {
    printQuery(parseQuery(query));
  } catch (error) {
    if (!(error instanceof Error && "line" in error)) throw error;
  }
}

test.each(QUERIES)("%s", async (_, make) => {
  const [small, large] = [make(500), make(8000)];
  const counts = [await blocksOf(() => read(small)), await blocksOf(() => read(large))];
  expect(counts[0]).toBeGreaterThan(5);
  expect(Math.log((counts[1]! + 1000) / (counts[0]! + 1000)) / Math.log(16)).toBeLessThan(1.1);
});
