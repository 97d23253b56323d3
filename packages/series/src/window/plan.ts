/** Checks the window options of queries. Times are milliseconds. */
import { choiceOption, invalidArgument, ownOption } from "moonpack/bytes";
import type { Fill } from "../api.js";
import { timeArgument } from "../time-argument.js";
import type { Zone } from "../time-zone.js";
import { type PlannedAggregate, readAggregates } from "./aggregate.js";
import type { WindowGrid } from "./grid.js";
import { windowGrid } from "./length.js";

/** The options of window queries. */
export const WINDOW_OPTIONS = ["window", "timeZone", "origin", "aggregate", "fill"] as const;

/** Maximum number of windows without points that a query fills, for each metric. */
export const MAX_FILLED = 1_000_000;

/** The windows of a query. */
export interface WindowPlan extends Required<PlanOrder> {
  /** The unit of returned starts, in milliseconds. */
  readonly unitMs: 1 | 1000;
  readonly grid: WindowGrid;
  readonly aggregates: readonly PlannedAggregate[];
  readonly fill: Fill;
  /** The half-open range of the query. At an open end, filling ends with the points. */
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** The order and the number of windows. */
interface PlanOrder {
  /** Maximum number of windows of a metric. */
  readonly limit?: number;
  /** True if the newest window comes first. */
  readonly reverse?: boolean;
}

/** The range of a query in milliseconds. An undefined or infinite end is open. */
export interface PlanRange extends PlanOrder {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Checks the window options of a query. Throws `ERR_INVALID_ARGUMENT`. The caller must check `range`. */
export function windowPlan(options: object, range: PlanRange, unitMs: 1 | 1000, zone?: Zone): WindowPlan {
  const given = ownOption(options, "origin");
  const origin = given === undefined ? undefined : timeArgument(given, unitMs, zone);
  if (given !== undefined && (!Number.isSafeInteger(origin) || (typeof given === "number" && !Number.isInteger(given))))
    throw invalidArgument("origin must be a time: an integer in the unit of the store");
  return {
    unitMs,
    grid: windowGrid(ownOption(options, "window"), origin, zone),
    aggregates: readAggregates(ownOption(options, "aggregate")),
    fill: choiceOption("fill", ownOption(options, "fill"), ["none", "null", "previous", "linear"]),
    from: closedEnd(range.from),
    to: closedEnd(range.to),
    limit: range.limit ?? Number.POSITIVE_INFINITY,
    reverse: range.reverse ?? false,
  };
}

/** Rounds an end of a range to an integer, like the times of points. */
function closedEnd(end: number | undefined): number | undefined {
  return end === undefined || !Number.isFinite(end) ? undefined : Math.ceil(end);
}
