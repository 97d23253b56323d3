/** Evaluates parsed queries. */
import { invalidArgument } from "moonpack/bytes";
import { PrometheusError } from "../errors.js";
import type { Expression } from "../parse/nodes.js";
import type { QueryTimes } from "../plan/durations.js";
import { gridOf, planQuery } from "../plan/plan.js";
import { Budget } from "./budget.js";
import { Evaluator } from "./evaluator.js";
import { Notes } from "./notes.js";
import { type EvaluateOptions, settingsOf } from "./options.js";
import { Pace } from "./pace.js";
import type { QueryResult } from "./result.js";
import { Samples } from "./samples.js";
import { queryValue } from "./value.js";

/**
 * Evaluates a query like the engine of Prometheus 3, with its experimental functions and delayed removal of names. Native
 * histograms are not supported. It lets the event loop run every 5 ms.
 *
 * Throws `PrometheusError`: `ERR_PROMQL_EXECUTION` if the query has no answer for the data, `ERR_PROMQL_SYNTAX` for durations and
 * types that are not valid, `ERR_LIMIT_POINTS`, `ERR_LIMIT_SAMPLES`, `ERR_LIMIT_SERIES`, `ERR_TIMEOUT`; `ERR_ABORTED` after an abort,
 * `ERR_INVALID_ARGUMENT` for invalid options, and errors of the source.
 *
 * @example
 * const { value } = await evaluate(parseQuery("1 + 1"), { query: "1 + 1", start: Date.now(), source });
 * console.log(value.resultType, value.value); // scalar 2
 */
export async function evaluate(expression: Expression, options: EvaluateOptions): Promise<QueryResult> {
  if (typeof expression?.kind !== "string")
    throw invalidArgument("expression must be a query that parseQuery returned");
  const settings = settingsOf(options);
  const { query, source, signal, times, lookback, limits, timeout } = settings;
  const grid = gridOf(times);
  checkType(expression, times);
  if (grid.count > limits.maxPoints) {
    const text = `exceeded maximum resolution of ${limits.maxPoints} points per timeseries. Try decreasing the query resolution (?step=XX)`;
    throw new PrometheusError("ERR_LIMIT_POINTS", text);
  }
  const plan = planQuery(expression, times, settings);
  const pace = new Pace(signal, timeout);
  pace.check();
  const budget = new Budget(limits);
  const notes = new Notes();
  // The source sees one signal: for the caller's and for the deadline.
  const reads = new AbortController();
  const abort = (): void => reads.abort(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  const expire = (): void => {
    pace.expire();
    reads.abort(new Error("the query timed out"));
  };
  const timer = setTimeout(expire, Math.min(timeout, 2 ** 31 - 1));
  const run = new Evaluator(pace, budget, notes, new Samples(source, reads.signal, budget, pace), lookback);
  try {
    const value = await queryValue(run, plan, grid, times.step === 0);
    return { value, ...notes.texts(query) };
  } catch (error) {
    // A source that was aborted may throw an error of any kind.
    pace.check();
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

function checkType({ valueType }: Expression, { step }: QueryTimes): void {
  if (step === 0 || valueType === "scalar" || valueType === "vector") return;
  const name = valueType === "matrix" ? "range vector" : valueType;
  const text = `invalid expression type "${name}" for range query, must be Scalar or instant Vector`;
  throw new PrometheusError("ERR_PROMQL_SYNTAX", text);
}
