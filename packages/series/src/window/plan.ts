/** What a window query asks for, checked. Times are milliseconds. */
import { choiceOption, durationMs, invalidArgument, ownOption } from "moonpack/bytes";
import type { Window } from "../api.js";
import { type PlannedAggregate, readAggregates } from "./aggregate.js";

/** The options that make a query one of windows. */
export const WINDOW_OPTIONS = ["window", "origin", "aggregate", "fill"] as const;

/** Starts of windows, and positions in them, stay exact up to this size. */
const MAX_WINDOW = 2 ** 52;

/** The windows of a query. */
export interface WindowPlan {
  /** Milliseconds of the unit in which starts are returned. */
  readonly unitMs: 1 | 1000;
  /** The length of a window. */
  readonly window: number;
  /** The start of a window, from 0 up to the length of a window. */
  readonly origin: number;
  readonly aggregates: readonly PlannedAggregate[];
  readonly fill: "none" | "null" | "previous";
  /** The range of the query, half-open. Where an end is open, filling ends with the points. */
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** The range of a query in milliseconds; an end that is undefined or infinite is open. */
export interface PlanRange {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Checks the window options of a query. Throws `ERR_INVALID_ARGUMENT`. `range` is checked by the caller. */
export function windowPlan(options: Window, range: PlanRange, unitMs: 1 | 1000): WindowPlan {
  const window = durationMs("window", ownOption(options, "window"));
  if (!Number.isInteger(window) || window < 1 || window > MAX_WINDOW)
    throw invalidArgument("window must be a whole number of milliseconds, at least 1");
  const origin = ownOption(options, "origin") ?? 0;
  if (typeof origin !== "number" || !Number.isSafeInteger(origin * unitMs) || !Number.isInteger(origin))
    throw invalidArgument("origin must be a time: an integer in the unit of the store");
  const rest = (origin * unitMs) % window;
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

/** An end as a whole number: times of points are. */
function closedEnd(end: number | undefined): number | undefined {
  return end === undefined || !Number.isFinite(end) ? undefined : Math.ceil(end);
}

/** The start of the window that a time lies in. */
export function windowStart({ window, origin }: WindowPlan, time: number): number {
  return origin + Math.floor((time - origin) / window) * window;
}
