/** Parsed queries as texts and values that tests compare. */

import { caught } from "@moonpack/harness/caught.ts";
import { type Expression, PrometheusError, parseQuery } from "@moonpack/prometheus";

/** Parses a query and shows how it is nested: every operator, sign and modifier in brackets. */
export function nested(query: string): string {
  return show(parseQuery(query));
}

function show(expression: Expression): string {
  switch (expression.kind) {
    case "number":
      return String(expression.value);
    case "string":
      return JSON.stringify(expression.value);
    case "selector":
      return `${expression.name}${expression.offset === 0 ? "" : "~"}`;
    case "matrix":
      return `<${show(expression.selector)}[${typeof expression.range === "number" ? expression.range : "?"}]>`;
    case "subquery":
      return `<${show(expression.expression)}[:]>`;
    case "parentheses":
      return show(expression.expression);
    case "unary":
      return `<${expression.operator}${show(expression.expression)}>`;
    case "binary":
      return `<${show(expression.left)} ${expression.operator} ${show(expression.right)}>`;
    case "aggregation":
      return `${expression.operator}<${show(expression.expression)}>`;
    case "call":
      return `${expression.function.name}<${expression.arguments.map(show).join(" ")}>`;
  }
}

/** Returns a copy of a tree without places. Conditions are sorted, as the printer sorts them. */
export function withoutPlaces(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(withoutPlaces);
    return items.every((item) => typeof item === "object")
      ? items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
      : items;
  }
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : value;
  const entries = Object.entries(value).filter(([key]) => key !== "start" && key !== "end");
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, key === "matchers" ? withoutPlaces(inner) : plain(inner)]),
  );
}

/** Like `withoutPlaces`, with lists in their order. */
function plain(value: unknown): unknown {
  return Array.isArray(value) ? value.map((item) => plain(item)) : withoutPlaces(value);
}

/** Returns the text of the error of an invalid query: `line:column: parse error: ..`. Any other error fails the test. */
export function refusal(query: string): string {
  const error = caught(() => parseQuery(query));
  if (!(error instanceof PrometheusError)) throw error;
  if (!error.message.startsWith(`${error.line}:${error.column}: parse error: `)) throw new Error("a place is missing");
  if (error.code !== "ERR_PROMQL_SYNTAX") return `${error.code} at ${error.line}:${error.column}`;
  return error.message.replace(" parse error:", "");
}
