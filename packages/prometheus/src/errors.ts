/** The error of queries, with codes of moonpack's family. */
import { type ErrorCode, MoonpackError } from "moonpack/bytes";

/**
 * The error codes of queries, each with its meaning in one line.
 *
 * @example
 * console.log(PROMETHEUS_ERROR_CODES.ERR_PROMQL_SYNTAX);
 */
export const PROMETHEUS_ERROR_CODES = {
  ERR_PROMQL_SYNTAX: "a query that is not valid PromQL, or has an expression of the wrong type",
  ERR_PROMQL_EXECUTION: "a query that has no answer for the data: see the text",
  ERR_LIMIT_POINTS: "a range query with more steps than maxPoints, or a subquery with more than 1,048,576",
  ERR_LIMIT_SAMPLES: "a query that reads more samples than maxSamples",
  ERR_LIMIT_SERIES: "a selector that matches more series than maxSeries",
  ERR_TIMEOUT: "a query that took longer than its timeout",
} as const;

/** A place in the text of a query. */
export interface QueryPlace {
  /** The line, from 1. */
  readonly line: number;
  /** The column in the line, from 1, in UTF-16 code units. */
  readonly column: number;
}

/**
 * The error of a query. `code` is a key of {@link PROMETHEUS_ERROR_CODES}, or one of moonpack's, such as `ERR_LIMIT_DEPTH`.
 *
 * @example
 * try { parseQuery("sum(") } catch (e) { if (e instanceof PrometheusError) console.log(e.code, e.line, e.column) }
 */
export class PrometheusError extends MoonpackError {
  /** Used by `instanceof`, which recognises instances of other copies of the package. */
  static override get brand(): symbol {
    return Symbol.for("@moonpack/prometheus.PrometheusError");
  }
  /** The line of the query, from 1; undefined if the error has no place in the text. */
  readonly line: number | undefined;
  /** The column in the line, from 1, in UTF-16 code units; undefined if the error has no place in the text. */
  readonly column: number | undefined;
  constructor(code: ErrorCode, message: string, place?: QueryPlace, cause?: unknown) {
    super(code, message, cause);
    this.line = place?.line;
    this.column = place?.column;
  }
  override get name(): string {
    return "PrometheusError";
  }
}
