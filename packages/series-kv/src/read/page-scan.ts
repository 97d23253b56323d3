/** Converts the pages of a scan of a key-value database to runs, one per hour. */
import type { PagePoints, PointScan, Run } from "@moonpack/series/driver";
import type { HourPages, Scan, ScanMemory } from "./scan.js";

const HOUR = 3_600_000;

/** A scan of pages. */
export class PageScan implements PointScan {
  readonly #scan: Scan;
  readonly #memory: ScanMemory;
  #hours: readonly HourPages[] = [];
  #at = 0;

  constructor(scan: Scan, memory: ScanMemory) {
    this.#scan = scan;
    this.#memory = memory;
  }

  next(): Run | undefined | Promise<Run | undefined> {
    while (this.#at < this.#hours.length) {
      const hour = this.#hours[this.#at++]!;
      const points = this.#scan.unite(hour);
      if (points.length === 0) continue;
      this.#memory.times = absoluteTimes(hour.hour, points, this.#memory.times);
      return { times: this.#memory.times, values: points.values, from: 0, to: points.length };
    }
    return this.#scan.isOver ? undefined : this.#step();
  }

  async #step(): Promise<Run | undefined> {
    this.#hours = await this.#scan.step();
    this.#at = 0;
    return this.next();
  }
}

/** Returns the Unix times of an hour's points, in milliseconds, in `memory` if it is large enough. */
function absoluteTimes(
  hour: number,
  { times, length }: PagePoints,
  memory: Float64Array<ArrayBuffer>,
): Float64Array<ArrayBuffer> {
  const target = length <= memory.length ? memory : new Float64Array(Math.max(length, 2 * memory.length));
  const start = hour * HOUR;
  for (let i = 0; i < length; i++) target[i] = start + times[i]!;
  return target;
}
