/** The values of durations when the steps of a query are known. */
import { PrometheusError } from "../errors.js";
import type { DurationExpression, DurationOperand, DurationValue, TimeModifiers } from "../parse/nodes.js";
import { maxOf, minOf, power } from "./numbers.js";

/** The times of a query, in milliseconds. */
export interface QueryTimes {
  readonly start: number;
  readonly end: number;
  /** The step of a range query; 0 for an instant query. */
  readonly step: number;
}

const MAX_SECONDS = 2 ** 63 / 1e9;

/** Returns a duration in milliseconds. Throws `ERR_PROMQL_SYNTAX` for 0 and less, unless `allowsNegative`. */
export function durationOf(duration: DurationValue, times: QueryTimes, allowsNegative = false): number {
  if (typeof duration === "number") return duration;
  const seconds = secondsOf(duration, times);
  if (!Number.isFinite(seconds)) throw failure(duration, "duration is NaN or infinite");
  if (seconds <= 0 && !allowsNegative) throw failure(duration, "duration must be greater than 0");
  if (Math.abs(seconds) > MAX_SECONDS) throw failure(duration, "duration is out of range");
  return Math.trunc(seconds * 1000);
}

function failure({ start, end }: DurationExpression, text: string): PrometheusError {
  return new PrometheusError("ERR_PROMQL_SYNTAX", `${start}:${end}: ${text}`);
}

function secondsOf(duration: DurationOperand, times: QueryTimes): number {
  if (duration.kind === "number") return duration.value;
  const { operator } = duration;
  if (operator === "step") return times.step / 1000;
  if (operator === "range") return (times.end - times.start) / 1000;
  const right = secondsOf(duration.right!, times);
  if (duration.left === undefined) return operator === "-" ? -right : right;
  const left = secondsOf(duration.left, times);
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      if (right === 0) throw failure(duration, "division by zero");
      return left / right;
    case "%":
      if (right === 0) throw failure(duration, "modulo by zero");
      return left % right;
    case "^":
      return power(left, right);
    case "max_of":
      return maxOf(left, right);
    case "min_of":
      return minOf(left, right);
  }
}

/** Returns the time of `@` in milliseconds; undefined without one. */
export function timeOf(at: TimeModifiers["at"], { start, end }: QueryTimes): number | undefined {
  return at === "start" ? start : at === "end" ? end : at;
}
