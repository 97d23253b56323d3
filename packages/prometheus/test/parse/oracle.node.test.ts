/** The parser and the printer beside Prometheus' own, where Go is installed. */

import { share } from "@moonpack/harness/effort.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { PrometheusError, parseQuery, printQuery } from "@moonpack/prometheus";
import { type Answer, askPrometheus, scriptQueries } from "@moonpack/promql/oracle.ts";
import { hasGo } from "@moonpack/promql/program.ts";
import { describe, expect, test } from "vitest";
import { randomTree } from "../harness/random-query.ts";
import { randomText } from "../harness/random-text.ts";

/** The differences that are meant: each with its reason, and the texts that may have it. */
const MEANT: [reason: string, text: RegExp][] = [
  ["not supported here", /\b(?:anchored|smoothed)\b/i],
  ["a colon after a duration without digits is refused there", /\[[^\]]*(?:step|range)\s*\(/i],
  [
    "labels that are printed without quotes there, and then refused",
    /\b(?:by|without|on|ignoring|group_left|group_right) \((?:[^()"]|"(?:[^"\\]|\\.)*")*\b(?:without|inf|nan)\b/i,
  ],
  ["an operator after it would belong to the duration", /offset\s*(?:\+\s*\(|[-+]\s*[-+])/i],
  ["+Inf ^ 2 is read as +(Inf ^ 2) there", /inf\s*\^/i],
  ["an exponent is read in a hexadecimal number there", /0x[\da-f]*e/i],
  ["a duration that is not a number is accepted there", /offset.*nan/i],
  ["rounded down to a millisecond less there", /\d+ms/],
];

interface Difference {
  readonly query: string;
  readonly ours: string;
  readonly theirs: string;
}

/** Returns the queries that Prometheus reads otherwise, without the differences that are meant, and how many both parse. */
function compare(
  queries: readonly string[],
  answers: readonly Answer[],
): { differences: Difference[]; parsed: number } {
  let parsed = 0;
  const differences = queries.flatMap((query, i): Difference[] => {
    const { text, type, error } = answers[i]!;
    const ours = read(query);
    const theirs = error === "" ? `${type} ${text}` : "refused";
    if (ours === theirs) {
      if (error === "") parsed++;
      return [];
    }
    return MEANT.some(([, pattern]) => pattern.test(query)) ? [] : [{ query, ours, theirs }];
  });
  return { differences, parsed };
}

function read(query: string): string {
  try {
    const tree = parseQuery(query);
    return `${tree.valueType} ${printQuery(tree)}`;
  } catch (error) {
    if (error instanceof PrometheusError) return "refused";
    throw error;
  }
}

/** In CI, a test that is left out is a failure. */
const isLeftOut = process.env.CI !== "true" && !hasGo();
if (isLeftOut) console.warn("NOT RUN: the comparison with Prometheus' parser needs Go");

describe.skipIf(isLeftOut)("Prometheus' own parser", { timeout: 900_000 }, () => {
  test("reads the queries of its test scripts like ours", async () => {
    const queries = await scriptQueries();
    expect(queries.length).toBeGreaterThan(1500);
    const { differences, parsed } = compare(queries, await askPrometheus(queries));
    expect(differences).toEqual([]);
    const left = queries.filter((query) => read(query) === "refused");
    expect(left.filter((query) => !MEANT[0]![1].test(query))).toEqual([]);
    expect(parsed).toBe(queries.length - left.length);
  });

  test("reads random queries like ours", async () => {
    const random = randomSource(315);
    const queries = Array.from({ length: share(20_000) }, () =>
      printQuery(randomTree(random, (["vector", "scalar", "matrix", "string"] as const)[random(4)]!, random(5))),
    );
    const { differences, parsed } = compare(queries, await askPrometheus(queries));
    expect(differences).toEqual([]);
    expect(parsed).toBeGreaterThan(queries.length / 2);
  });

  test("reads random and damaged texts like ours", async () => {
    const random = randomSource(316);
    const scripts = await scriptQueries();
    const queries = Array.from({ length: share(40_000) }, (_, i) => {
      if (i % 2 === 0) return randomText(random, 1 + random(10));
      const query = scripts[random(scripts.length)]!;
      const at = random(query.length + 1);
      return query.slice(0, at) + randomText(random, random(2)) + query.slice(at + random(4));
    }).filter((query) => query.isWellFormed());
    const { differences, parsed } = compare(queries, await askPrometheus(queries));
    expect(differences).toEqual([]);
    expect(parsed).toBeGreaterThan(share(40_000) / 20);
  });
});
