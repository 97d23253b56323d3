/** The places of nodes and errors in a query. */

import { caughtOurs } from "@moonpack/harness/caught.ts";
import { type Binary, type PrometheusError, parseQuery } from "@moonpack/prometheus";
import { expect, test } from "vitest";

/** Returns the text that each node of a query stands for, by its kind. */
function texts(query: string): string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { kind, start, end } = value as { kind?: string; start: number; end: number };
    if (kind !== undefined) found.push(`${kind} ${query.slice(start, end)}`);
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(parseQuery(query));
  return found;
}

test("each node has the offsets of its text", () => {
  expect(texts(' sum by (x) ( rate( a{b="c"} [5m] offset 1m ) ) >= bool -2 ')).toEqual([
    'binary sum by (x) ( rate( a{b="c"} [5m] offset 1m ) ) >= bool -2',
    'aggregation sum by (x) ( rate( a{b="c"} [5m] offset 1m ) )',
    'call rate( a{b="c"} [5m] offset 1m )',
    'matrix a{b="c"} [5m] offset 1m',
    'selector a{b="c"}',
    "number -2",
  ]);
  expect(texts("(a @ start())[1h:step() * 2] ")).toEqual([
    "subquery (a @ start())[1h:step() * 2]",
    "parentheses (a @ start())",
    "selector a @ start()",
    "duration step() * 2",
    "duration step()",
    "number 2",
  ]);
  expect(texts("topk(1, a) by (b) + - c")).toEqual([
    "binary topk(1, a) by (b) + - c",
    "aggregation topk(1, a) by (b)",
    "selector a",
    "number 1",
    "unary - c",
    "selector c",
  ]);
});

test("columns count UTF-16 code units from the last line feed", () => {
  const error = caughtOurs(() => parseQuery('a{b="😀"} +\n\r\n  "ä" $')) as PrometheusError;
  expect([error.line, error.column, error.code, error.name]).toEqual([3, 7, "ERR_PROMQL_SYNTAX", "PrometheusError"]);
  expect(error.message).toBe("3:7: parse error: unexpected character: '$'");
  expect((parseQuery('a{b="😀"} == bool 1') as Binary).right.start).toBe(18);
});
