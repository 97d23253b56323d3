/** Parses queries and selectors. */
import { invalidArgument } from "moonpack/bytes";
import { PrometheusError } from "../errors.js";
import { Cursor } from "./cursor.js";
import { parseExpression } from "./expression.js";
import { parseSelector } from "./matchers.js";
import type { Expression, LabelMatcher } from "./nodes.js";
import { isMetricName } from "./tokens.js";

/** The longest query of a request, in UTF-16 code units, and the most tokens: some 20 ms. */
const MAX_LENGTH = 1 << 19;
const MAX_TOKENS = 1 << 15;

/**
 * Parses a query in PromQL, the language of Prometheus 3, with its experimental functions, fill modifiers and duration
 * expressions. Types are checked. Throws `PrometheusError` with `ERR_PROMQL_SYNTAX` and the place, for `anchored` and `smoothed` too;
 * with `ERR_LIMIT_DEPTH` beyond 500 nested expressions, `ERR_LIMIT_ELEMENTS` for too many regular expressions. Takes time linear in the length of the text.
 *
 * @example
 * const query = parseQuery("sum by (job) (rate(requests_total[5m]))");
 * console.log(query.kind, query.valueType); // aggregation vector
 */
export function parseQuery(text: string): Expression {
  return queryOf(cursorOf(text));
}

/**
 * Parses a query of a request: as {@link parseQuery}, but also throws `ERR_LIMIT_BYTES` and `ERR_LIMIT_ELEMENTS` for one that takes long
 * to parse, since the event loop has no turn meanwhile.
 */
export function parseRequest(text: string): Expression {
  return queryOf(boundedCursorOf(text));
}

function queryOf(c: Cursor): Expression {
  if (c.is("eof")) throw c.error(0, "no expression found in input");
  const expression = parseExpression(c);
  if (!c.is("eof")) throw c.unexpected();
  return expression;
}

/**
 * Parses a selector without modifiers, such as a `match[]` of Prometheus' API. Returns its conditions. Throws
 * `PrometheusError` with `ERR_PROMQL_SYNTAX`.
 *
 * @example
 * console.log(parseMatchers('up{job!="api"}').length); // 2
 */
export function parseMatchers(text: string): readonly LabelMatcher[] {
  return matchersOf(cursorOf(text));
}

/** Parses a selector of a request, with the limits of {@link parseRequest}. */
export function parseRequestMatchers(text: string): readonly LabelMatcher[] {
  return matchersOf(boundedCursorOf(text));
}

function matchersOf(c: Cursor): readonly LabelMatcher[] {
  if (!c.is("{") && !isMetricName(c.token)) throw c.unexpected();
  const { matchers } = parseSelector(c, c.is("{") ? undefined : c.next());
  if (!c.is("eof")) throw c.unexpected();
  return matchers;
}

function cursorOf(text: string): Cursor {
  if (typeof text !== "string") throw invalidArgument("a query must be a string");
  return new Cursor(text, Number.POSITIVE_INFINITY);
}

function boundedCursorOf(text: string): Cursor {
  if (typeof text === "string" && text.length <= MAX_LENGTH) return new Cursor(text, MAX_TOKENS);
  if (typeof text !== "string") throw invalidArgument("a query must be a string");
  throw new PrometheusError("ERR_LIMIT_BYTES", `the query has ${text.length} characters, more than ${MAX_LENGTH}`);
}
