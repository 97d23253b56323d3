/** Converts the pages of a scan of a key-value database to runs, one per hour. */
import type { Run } from "../blocks/run.js";
import { absoluteTimes, type BatchMemory } from "./batches.js";
import type { HourPages, Scan } from "./scan.js";
import type { PointScan } from "./sealed-store.js";

/** A scan of pages. */
export class PageScan implements PointScan {
  readonly #scan: Scan;
  readonly #memory: BatchMemory;
  #hours: readonly HourPages[] = [];
  #at = 0;

  constructor(scan: Scan, memory: BatchMemory) {
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
