/**
 * What a summary block keeps of each window (docs/series-format.md, "Summaries"). Each value is a role. A summary block is a block whose
 * metrics are the roles of metrics: the id is 8 times the id of the metric, plus the role; a point is at the start of its window.
 */
import { ROLE_BITS } from "../blocks/format.js";
import type { Summaries } from "../blocks/summary.js";
import type { Values64 } from "../page/values.js";
import type { AggregateKind } from "../window/aggregate.js";

export const ROLES = 2 ** ROLE_BITS;

/** Points of the window. Every summary has it. */
export const COUNT = 0;
/** Points that are NaN. */
export const NANS = 1;
export const SUM = 2;
/** The rounding error of the sum. */
export const REST = 3;
export const MIN = 4;
export const MAX = 5;
export const FIRST = 6;
export const LAST = 7;

/** Ids from here on have no roles: ids in blocks are below 2^31. */
export const END_OF_SUMMARISED = 2 ** (31 - ROLE_BITS);

/** Returns the id of a role of a metric in summary blocks. */
export function roleId(id: number, role: number): number {
  return id * ROLES + role;
}

/** True for roles whose values have the type of the metric. All others are floats. */
export function isExactRole(role: number): boolean {
  return role >= MIN;
}

/** Returns the roles of a set, by its bits. */
export function rolesIn(bits: number): number[] {
  return Array.from({ length: ROLES }, (_, role) => role).filter((role) => (bits & (1 << role)) !== 0);
}

/** Returns the roles that aggregates need, as bits; undefined if they cannot be computed from summaries. */
export function rolesOf(kinds: readonly AggregateKind[]): number | undefined {
  let bits = 1 << COUNT;
  for (const kind of kinds) {
    const needed = bitsOf(kind);
    if (needed === undefined) return undefined;
    bits |= needed;
  }
  return bits;
}

function bitsOf(kind: AggregateKind): number | undefined {
  switch (kind) {
    case "count":
      return 1 << COUNT;
    case "sum":
    case "avg":
      return (1 << NANS) | (1 << SUM) | (1 << REST);
    case "min":
      return 1 << MIN;
    case "max":
      return 1 << MAX;
    case "first":
      return 1 << FIRST;
    case "last":
      return 1 << LAST;
    default:
      return undefined;
  }
}

/** Returns the column of a role; undefined for counts, which have no column of values. */
export function columnOf(summaries: Summaries, role: number): Values64 | undefined {
  switch (role) {
    case SUM:
      return summaries.sum;
    case REST:
      return summaries.rest;
    case MIN:
      return summaries.min;
    case MAX:
      return summaries.max;
    case FIRST:
      return summaries.first;
    case LAST:
      return summaries.last;
    default:
      return undefined;
  }
}
