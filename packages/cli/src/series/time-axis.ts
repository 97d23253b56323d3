/** Ticks of time axes, and their labels in UTC. */
import { scaleUtc } from "d3-scale";

/** A tick: its time, and a label no longer than {@link LABEL_WIDTH}. */
export interface TimeTick {
  readonly time: number;
  readonly label: string;
}

/** Characters of the longest label. */
export const LABEL_WIDTH = 12;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 1440 * MINUTE;
/** The length of the shortest month. */
const MONTH = 28 * DAY;

/** About `count` ticks at round times, for the half-open range. */
export function timeTicks(from: number, to: number, count: number): readonly TimeTick[] {
  const times = scaleUtc([from, to], [0, 1])
    .ticks(Math.max(1, count))
    .map((date) => date.getTime())
    .filter((time) => Number.isInteger(time) && time >= from && time < to);
  const step = times.length > 1 ? times[1]! - times[0]! : to - from;
  return times.map((time) => ({ time, label: labelOf(time, step) }));
}

/** The label of a tick: the day at midnight and for steps of days, the time of day otherwise. */
function labelOf(time: number, step: number): string {
  const iso = new Date(time).toISOString();
  if (step >= MONTH) return iso.slice(0, 7);
  if (step >= DAY || time % DAY === 0) return iso.slice(0, 10);
  if (step >= MINUTE) return iso.slice(11, 16);
  return step >= SECOND ? iso.slice(11, 19) : iso.slice(11, 23);
}
