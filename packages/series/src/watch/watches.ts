/**
 * The loops that watch a store. Writes leave a copy of their points here, and never wait. When the points are acknowledged, each loop takes
 * the points of its metrics. Without a loop a write costs one comparison.
 */
import type { WriteAheadLog } from "../log/write-ahead-log.js";
import type { Values64 } from "../page/values.js";
import type { RegisteredMetric } from "../registry/registered-metric.js";
import { TimeSlices } from "../store/time-slices.js";
import type { PointTaker } from "../write/committer.js";
import type { Watcher } from "./watcher.js";
import { copyPoints, countPoints, type Uncopied, type Written } from "./written.js";

/** Maximum number of copied points. Further points are dropped: they are counted only. */
const MAX_COPIED = 2 ** 20;

/** See above. */
export class Watches implements PointTaker {
  readonly #log: WriteAheadLog;
  /** A new list for each change. */
  #watchers: readonly Watcher[] = [];
  #queue: (Written | Uncopied)[] = [];
  #copied = 0;
  #delivering: Promise<void> | undefined;
  /** Metrics that were forgotten while their points may be in the queue, by id. */
  readonly forgotten = new Map<number, RegisteredMetric>();

  constructor(log: WriteAheadLog) {
    this.#log = log;
  }

  get isActive(): boolean {
    return this.#watchers.length > 0;
  }

  add(watcher: Watcher): void {
    this.#watchers = [...this.#watchers, watcher];
  }

  remove(watcher: Watcher): void {
    this.#watchers = this.#watchers.filter((one) => one !== watcher);
  }

  written(
    n: number,
    ids: Uint32Array | number,
    times: Float64Array | number,
    values: Values64,
    from = 0,
    listFrom = 0,
  ): void {
    const watchers = this.#watchers;
    if (this.#copied + n > MAX_COPIED) {
      const last = this.#queue.at(-1);
      if (last?.counts !== undefined && last.watchers === watchers) countPoints(n, ids, listFrom, last.counts);
      else {
        const counts = new Map<number, number>();
        countPoints(n, ids, listFrom, counts);
        this.#queue.push({ watchers, counts });
      }
    } else {
      this.#copied += n;
      const acknowledged = this.#log.committed().then(
        () => true,
        () => false,
      );
      this.#queue.push({ watchers, acknowledged, ...copyPoints(n, ids, times, values, from, listFrom) });
    }
    this.#delivering ??= this.#deliver();
  }

  /** Never rejects. */
  async #deliver(): Promise<void> {
    const slices = new TimeSlices();
    while (this.#queue.length > 0) {
      const queue = this.#queue;
      this.#queue = [];
      for (const one of queue) {
        const isThere = one.counts !== undefined || (await one.acknowledged);
        if (isThere) for (const watcher of one.watchers) await watcher.take(one);
        if (one.counts === undefined) this.#copied -= one.ids.length;
        const pause = slices.pause();
        if (pause !== undefined) await pause;
      }
    }
    this.#delivering = undefined;
    this.forgotten.clear();
  }

  /** Must be called when a metric is forgotten: points that were written before are still yielded. */
  forget(metric: RegisteredMetric): void {
    if (this.#delivering !== undefined) this.forgotten.set(metric.id, metric);
  }

  /** Ends all loops, after the points that were written so far. */
  async close(): Promise<void> {
    await this.#delivering;
    for (const watcher of this.#watchers) watcher.end();
  }
}
