/** Queries that are deep, long or made of any characters. */

import { caughtOurs } from "@moonpack/harness/caught.ts";
import { type Expression, PrometheusError, parseMatchers, parseQuery, printQuery } from "@moonpack/prometheus";
import { expect, test } from "vitest";
import { refusal } from "../harness/tree.ts";

/** Nested queries by their depth, and the depth that is refused. */
const NESTED: Record<string, (depth: number) => string> = {
  parentheses: (n) => `${"(".repeat(n)}a${")".repeat(n)}`,
  signs: (n) => `${"-".repeat(n)}a`,
  "a chain of operators": (n) => `a${" or a".repeat(n)}`,
  powers: (n) => `a${"^a".repeat(n)}`,
  calls: (n) => `${"abs(".repeat(n)}a${")".repeat(n)}`,
  aggregations: (n) => `${"sum by (x) (".repeat(n)}a${")".repeat(n)}`,
  subqueries: (n) => `${"max_over_time(".repeat(n)}a[1m]${")[1m:]".repeat(n)}`,
  "parentheses of durations": (n) => `a[${"(".repeat(n)}1m${")".repeat(n)}]`,
  "signs of durations": (n) => `a[${"-".repeat(2 * n)}1m]`,
  "a chain of durations": (n) => `a[1m${" + 1m".repeat(n)}]`,
  "functions of durations": (n) => `a offset ${"max_of(1m, ".repeat(n)}1m${")".repeat(n)}`,
};

test("nesting is bounded, whatever nests", () => {
  for (const [name, make] of Object.entries(NESTED)) {
    expect(printQuery(parseQuery(make(200))).length, name).toBeGreaterThan(2);
    for (const depth of [600, 5000, 1_000_000])
      expect(refusal(make(depth)), `${depth} ${name}`).toMatch(/^ERR_LIMIT_DEPTH at 1:\d+$/);
  }
  for (const open of ["(", "abs(", "-", "a[(", "sum by (x) (", "a ^ ", "a + ("])
    expect(
      caughtOurs(() => parseQuery(open.repeat(1_000_000))),
      open,
    ).toBeInstanceOf(PrometheusError);
});

test("long queries are read whole, and error texts stay short", () => {
  const n = 200_000;
  expect(printQuery(parseQuery(`"${"x".repeat(n)}"`)).length).toBe(n + 2);
  expect(printQuery(parseQuery(`"${"\\xff".repeat(n)}"`)).length).toBe(4 * n + 2);
  expect(parseMatchers(`a{${'b="c",'.repeat(n)}}`).length).toBe(n + 1);
  expect(printQuery(parseQuery(`sum by (${"a,".repeat(n)}) (b)`)).length).toBe(3 * n + 11);
  expect(printQuery(parseQuery(`${"# \n".repeat(n)}a${" ".repeat(n)}`))).toBe("a");
  for (const text of [
    "9".repeat(n),
    "1h".repeat(n),
    `${"a".repeat(n)}()`,
    `a{b=~"${"(".repeat(n)}"}`,
    `a b${"c".repeat(n)}`,
  ])
    expect(caughtOurs(() => parseQuery(text)).message.length).toBeLessThan(400);
});

test("every character, alone and in each place", () => {
  const places = ["", "a ", "a{", 'a{b="', "a[", "a[5m", '"', "'\\", "`", "a offset ", "1", "sum by (", "# "];
  const ends = ["", '"}', "]", '"', "'", "`", ")", "(a)"];
  for (let code = 0; code < 0x180; code++)
    for (const character of code < 0x100 ? [String.fromCharCode(code)] : [String.fromCharCode(code * 0xaa)])
      for (const place of places)
        for (const end of ends) {
          try {
            parseQuery(`${place}${character}${end}`);
          } catch (error) {
            if (!(error instanceof PrometheusError)) throw error;
          }
        }
});

test("arguments that are not texts", () => {
  for (const wrong of [undefined, null, 1, {}, [], Symbol("a"), new String("a")])
    for (const parse of [parseQuery, parseMatchers])
      expect(caughtOurs(() => parse(wrong as string)).code).toBe("ERR_INVALID_ARGUMENT");
});

test("trees that parseQuery did not return", () => {
  for (const wrong of [undefined, null, 1, "a", {}, [], { kind: "other" }, { kind: "parentheses" }])
    expect(caughtOurs(() => printQuery(wrong as unknown as Expression)).code).toBe("ERR_INVALID_ARGUMENT");
});

test("names of Object.prototype are names", () => {
  expect(printQuery(parseQuery('constructor{__proto__="a",toString!="b"}'))).toBe(
    'constructor{__proto__="a",toString!="b"}',
  );
  expect(refusal("toString(a)")).toBe('1:1: unknown function with name "toString"');
  expect(printQuery(parseQuery("sum by (__proto__, constructor) (hasOwnProperty)"))).toBe(
    "sum by (__proto__, constructor) (hasOwnProperty)",
  );
});
