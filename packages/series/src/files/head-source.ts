/** The head's points of one metric, as a source of a scan. They are copied, because sealing may free the head's memory during the scan. */
import type { CursorRange } from "../blocks/chunk-cursor.js";
import type { MemorySource } from "../blocks/metric-scan.js";
import { firstAtLeast, type Run, type RunCursor } from "../blocks/run.js";
import type { Head } from "../head/head.js";
import type { PagePoints } from "../page/page.js";
import { HeadCopy } from "../read/head-copy.js";
import type { TimeRange } from "../read/time-range.js";

const HOUR = 3_600_000;

/** The head's points of a metric in a range; undefined if there are none. */
export function headSource(
  head: Head,
  id: number,
  range: TimeRange,
  points: PagePoints,
  scratch: PagePoints,
): MemorySource | undefined {
  const copy = new HeadCopy(head, id, range, points, scratch);
  const hours = copy.hours;
  if (hours.length === 0) return undefined;
  hours.sort((a, b) => a - b);
  const first = copy.of(hours[0]!)!;
  const last = copy.of(hours.at(-1)!)!;
  return {
    from: hours[0]! * HOUR + first.times[0]!,
    to: hours.at(-1)! * HOUR + last.times[last.length - 1]!,
    cursor: (of) => new HeadCursor(copy, hours, of),
  };
}

/** Goes through the hours of a copy. */
class HeadCursor implements RunCursor {
  run: Run | undefined;
  readonly #copy: HeadCopy;
  readonly #hours: readonly number[];
  readonly #range: CursorRange;
  #next: number;

  constructor(copy: HeadCopy, hours: readonly number[], range: CursorRange) {
    this.#copy = copy;
    this.#hours = hours;
    this.#range = range;
    this.#next = range.reverse ? hours.length - 1 : 0;
  }

  advance(): undefined {
    const { from, to, reverse } = this.#range;
    this.run = undefined;
    while (this.run === undefined && this.#next >= 0 && this.#next < this.#hours.length) {
      const hour = this.#hours[this.#next]!;
      this.#next += reverse ? -1 : 1;
      const points = this.#copy.of(hour)!;
      const n = points.length;
      const times = new Float64Array(n);
      for (let i = 0; i < n; i++) times[i] = hour * HOUR + points.times[i]!;
      const start = firstAtLeast(times, 0, n, from);
      const end = firstAtLeast(times, start, n, to);
      if (start < end) this.run = { times, values: points.values, from: start, to: end };
    }
    return undefined;
  }
}
