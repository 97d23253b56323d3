/** Parses queries and selectors. */
import { invalidArgument } from "moonpack/bytes";
import { Cursor } from "./cursor.js";
import { parseExpression } from "./expression.js";
import { parseSelector } from "./matchers.js";
import type { Expression, LabelMatcher } from "./nodes.js";
import { isMetricName } from "./tokens.js";

/**
 * Parses a query in PromQL, the language of Prometheus 3, with its experimental functions, fill modifiers and duration
 * expressions. Types are checked. Throws `PrometheusError` with `ERR_PROMQL_SYNTAX` and the place, for `anchored` and `smoothed` too;
 * with `ERR_LIMIT_DEPTH` beyond 500 nested expressions. Takes time linear in the length of the text.
 *
 * @example
 * const query = parseQuery("sum by (job) (rate(requests_total[5m]))");
 * console.log(query.kind, query.valueType); // aggregation vector
 */
export function parseQuery(text: string): Expression {
  const c = cursorOf(text);
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
  const c = cursorOf(text);
  if (!c.is("{") && !isMetricName(c.token)) throw c.unexpected();
  const { matchers } = parseSelector(c, c.is("{") ? undefined : c.next());
  if (!c.is("eof")) throw c.unexpected();
  return matchers;
}

function cursorOf(text: string): Cursor {
  if (typeof text !== "string") throw invalidArgument("a query must be a string");
  return new Cursor(text);
}
