/** Random trees and texts, with a seed. */

import { share } from "@moonpack/harness/effort.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { PrometheusError, parseQuery, printQuery } from "@moonpack/prometheus";
import { expect, test } from "vitest";
import { randomTree } from "../harness/random-query.ts";
import { randomText } from "../harness/random-text.ts";
import { withoutPlaces } from "../harness/tree.ts";

test("a printed tree parses to the same tree", () => {
  const random = randomSource(35);
  const kinds = new Set<string>();
  for (let i = 0; i < share(4000); i++) {
    const tree = randomTree(random, (["vector", "scalar", "matrix", "string"] as const)[random(4)]!, random(5));
    const text = printQuery(tree);
    kinds.add(tree.kind);
    const parsed = parseQuery(text);
    expect(withoutPlaces(parsed), text).toEqual(withoutPlaces(tree));
    expect(printQuery(parsed)).toBe(text);
    expect([parsed.start, parsed.end], text).toEqual([0, text.length]);
  }
  expect(kinds.size).toBe(10);
});

test("a prefix of a query is parsed or refused with a place in it", () => {
  const random = randomSource(36);
  for (let i = 0; i < share(400); i++) {
    const text = printQuery(randomTree(random, "vector", 3));
    for (let end = 0; end <= text.length; end += 1 + random(4)) checked(text.slice(0, end));
  }
});

test("random tokens are parsed or refused with a place, and what is parsed prints the same again", () => {
  const random = randomSource(37);
  let parsed = 0;
  for (let i = 0; i < share(30_000); i++) if (checked(randomText(random, 1 + random(12)))) parsed++;
  expect(parsed).toBeGreaterThan(share(30_000) / 200);
  for (let i = 0; i < share(20); i++) checked(randomText(random, 30_000));
});

/** Parses a text. Returns false if it is refused. Any error but a `PrometheusError` with a place in the text fails the test. */
function checked(text: string): boolean {
  try {
    const tree = parseQuery(text);
    const printed = printQuery(tree);
    expect(withoutPlaces(parseQuery(printed)), text).toEqual(withoutPlaces(tree));
    return true;
  } catch (error) {
    if (!(error instanceof PrometheusError)) throw error;
    const lines = text.split("\n");
    expect(error.line, text).toBeGreaterThan(0);
    expect(error.line, text).toBeLessThanOrEqual(lines.length);
    expect(error.column, text).toBeGreaterThan(0);
    expect(error.column, text).toBeLessThanOrEqual(lines[error.line! - 1]!.length + 1);
    return false;
  }
}
