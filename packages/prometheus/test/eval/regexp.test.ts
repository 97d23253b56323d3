/** Regular expressions: lists, and the bound on the work of a match. */
import { randomSource } from "@moonpack/harness/random.ts";
import { Labels, labelsTest, valueTest } from "@moonpack/prometheus";
import { expect, test } from "vitest";
import { quantileOf } from "../../src/eval/quantile.ts";
import { listedTexts } from "../../src/regexp.ts";

test.each([
  ["a|b\\.c", ["a", "b.c"]],
  ["(a|b)", ["a", "b"]],
  ["()", [""]],
  ["(a|)", ["a", ""]],
  ["(a)|(b)", undefined],
  ["(a\\)", undefined],
  ["(?:a|b)", undefined],
  ["((a|b))", undefined],
  ["(a|b", undefined],
  ["a|b)", undefined],
])("the list of %s", (pattern, texts) => {
  expect(listedTexts(pattern)).toEqual(texts);
});

test("a list in parentheses matches like its regular expression", () => {
  const matches = valueTest({ name: "a", operator: "=~", value: "(a|b\\.c|)" });
  const compiled = valueTest({ name: "a", operator: "=~", value: "(?:a|b\\.c|)" });
  for (const text of ["", "a", "b.c", "b-c", "ab", "(a", "a)", "|"]) expect(matches(text), text).toBe(compiled(text));
});

test("a match that would take too long is refused", () => {
  const matches = labelsTest([{ name: "a", operator: "=~", value: ".*a.{0,500}b.{0,400}c" }]);
  expect(matches(Labels.of({ a: "a--b--c" }))).toBe(true);
  expect(matches(Labels.of({ a: "x".repeat(500) }))).toBe(false);
  expect(() => matches(Labels.of({ a: "x".repeat(1000) }))).toThrow(
    expect.objectContaining({ code: "ERR_PROMQL_EXECUTION", message: expect.stringMatching(/would take too long/) }),
  );
});

test("quantiles are those of sorted values, NaN first, in any order of the values", () => {
  const random = randomSource(35_103);
  for (let round = 0; round < 300; round++) {
    const count = 1 + random(200);
    const kinds = 1 + random(100);
    const values = Float64Array.from({ length: count }, () => {
      const kind = random(kinds);
      return kind === 50 ? Number.NaN : kind === 51 ? Infinity : kind === 52 ? -Infinity : kind - 20;
    });
    if (random(4) === 0) values.sort();
    const missing = values.filter(Number.isNaN).length;
    const sorted = [
      ...new Float64Array(missing).fill(Number.NaN),
      ...values.filter((value) => !Number.isNaN(value)).sort(),
    ];
    for (const quantile of [0, 0.1, 0.5, 0.73, 1]) {
      const rank = quantile * (count - 1);
      const lower = Math.floor(rank);
      const upper = Math.min(count - 1, lower + 1);
      const expected = sorted[lower]! * (1 - rank + lower) + sorted[upper]! * (rank - lower);
      expect(quantileOf(quantile, values.slice(), count), `${values} ${quantile}`).toBe(expected);
    }
  }
});
