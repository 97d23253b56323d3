/** Errors with their place in the text of a query. */
import { PrometheusError, type QueryPlace } from "../errors.js";

/** The codes of a query that is not valid, or is beyond a limit of the parser. */
export type SyntaxErrorCode = "ERR_PROMQL_SYNTAX" | "ERR_LIMIT_DEPTH" | "ERR_LIMIT_ELEMENTS";

/** The longest text: a query may have an identifier of many megabytes. */
const MAX_TEXT = 300;

/**
 * Returns the error of a query that is not valid at `offset`. Its text has the form of Prometheus' own errors:
 * `1:5: parse error: unexpected end of input`.
 */
export function syntaxError(
  query: string,
  offset: number,
  message: string,
  code: SyntaxErrorCode = "ERR_PROMQL_SYNTAX",
): PrometheusError {
  const place = placeAt(query, offset);
  const text = message.length > MAX_TEXT ? `${message.slice(0, MAX_TEXT)}..` : message;
  return new PrometheusError(code, `${place.line}:${place.column}: parse error: ${text}`, place);
}

/** Returns the line and the column of an offset in a query. */
export function placeAt(query: string, offset: number): QueryPlace {
  let line = 1;
  let start = 0;
  for (let next = query.indexOf("\n"); next !== -1 && next < offset; next = query.indexOf("\n", start)) {
    line++;
    start = next + 1;
  }
  return { line, column: offset - start + 1 };
}
