import { GROUP } from "./sequence.js";

/** Microseconds of each group of messages, and the groups in which the process was interrupted. */
export interface GroupTimes {
  readonly micros: readonly number[];
  readonly interrupted: readonly number[];
}

/** Messages from `from` to `to` - 1. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Least share of groups that must be calm, or else all count. */
const MIN_CALM = 0.25;

/**
 * How many times faster than `other` these messages were handled, over all groups in which neither was interrupted. If
 * there are few such groups, all count.
 */
export function speedOf(times: GroupTimes, other: GroupTimes, range: Range): number {
  const groups = calmGroups([times, other], range);
  return sumOf(other, groups) / sumOf(times, groups);
}

/** The share of groups in which the process was interrupted: if it is large, the machine was busy. */
export function interruptedShare(times: GroupTimes): number {
  return times.interrupted.length / times.micros.length;
}

function calmGroups(all: readonly GroupTimes[], { from, to }: Range): number[] {
  const groups = Array.from({ length: (to - from) / GROUP }, (_, index) => from / GROUP + index);
  const interrupted = new Set(all.flatMap((times) => times.interrupted));
  const calm = groups.filter((group) => !interrupted.has(group));
  return calm.length < groups.length * MIN_CALM ? groups : calm;
}

function sumOf({ micros }: GroupTimes, groups: readonly number[]): number {
  return groups.reduce((sum, group) => sum + micros[group]!, 0);
}
