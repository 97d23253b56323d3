/** Checks the window options of queries. Times are milliseconds. */
import { choiceOption, durationMs, invalidArgument, ownOption } from "moonpack/bytes";
import { timeArgument } from "../time-argument.js";
import { type PlannedAggregate, readAggregates } from "./aggregate.js";

/** The options of window queries. */
export const WINDOW_OPTIONS = ["window", "origin", "aggregate", "fill"] as const;

/** Starts of windows, and times within windows, are exact up to this size. */
const MAX_WINDOW = 2 ** 52;

/** The windows of a query. */
export interface WindowPlan {
  /** The unit of returned starts, in milliseconds. */
  readonly unitMs: 1 | 1000;
  /** The length of a window. */
  readonly window: number;
  /** The start of any window, modulo the length. */
  readonly origin: number;
  readonly aggregates: readonly PlannedAggregate[];
  readonly fill: "none" | "null" | "previous";
  /** The half-open range of the query. At an open end, filling ends with the points. */
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** The range of a query in milliseconds. An undefined or infinite end is open. */
export interface PlanRange {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Checks the window options of a query. Throws `ERR_INVALID_ARGUMENT`. The caller must check `range`. */
export function windowPlan(options: object, range: PlanRange, unitMs: 1 | 1000): WindowPlan {
  const window = durationMs("window", ownOption(options, "window"));
  if (!Number.isInteger(window) || window < 1 || window > MAX_WINDOW)
    throw invalidArgument("window must be a whole number of milliseconds, at least 1");
  const given = ownOption(options, "origin") ?? 0;
  const origin = timeArgument(given, unitMs);
  if (!Number.isSafeInteger(origin) || (typeof given === "number" && !Number.isInteger(given)))
    throw invalidArgument("origin must be a time: an integer in the unit of the store");
  const rest = origin! % window;
  return {
    unitMs,
    window,
    // Without -0.
    origin: rest < 0 ? rest + window : rest + 0,
    aggregates: readAggregates(ownOption(options, "aggregate")),
    fill: choiceOption("fill", ownOption(options, "fill"), ["none", "null", "previous"]),
    from: closedEnd(range.from),
    to: closedEnd(range.to),
  };
}

/** Rounds an end of a range to an integer, like the times of points. */
function closedEnd(end: number | undefined): number | undefined {
  return end === undefined || !Number.isFinite(end) ? undefined : Math.ceil(end);
}

/** Returns the start of the window that contains a time. */
export function windowStart({ window, origin }: WindowPlan, time: number): number {
  return origin + Math.floor((time - origin) / window) * window;
}
