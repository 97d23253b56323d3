/** The state that all reads of a selection share: data that is read for several metrics at once, and aggregators. */
import { WindowAggregator } from "../window/aggregator.js";
import type { WindowPlan } from "../window/plan.js";
import type { ReadScheduler } from "./read-scheduler.js";

/** Reads the data of a group of metrics when the first of them is read. */
export class ReadAhead {
  /** The scheduler of the whole selection: each of its reads is short. */
  readonly scheduler: ReadScheduler;
  readonly #begin: () => Promise<void> | undefined;
  #isBegun = false;
  #pending: Promise<void> | undefined;

  constructor(scheduler: ReadScheduler, begin: () => Promise<void> | undefined) {
    this.scheduler = scheduler;
    this.#begin = begin;
  }

  /** Starts reading. Returns a promise that resolves when the data is in memory; undefined if it is. */
  ready(): Promise<void> | undefined {
    if (!this.#isBegun) {
      this.#isBegun = true;
      this.#pending = this.#begin()?.finally(() => {
        this.#pending = undefined;
      });
    }
    return this.#pending;
  }
}

/** Keeps unused aggregators for reuse: allocating their memory takes longer than a short read. */
export class AggregatorPool {
  readonly #plan: WindowPlan;
  readonly #free: { readonly [K in "float" | "int64"]: WindowAggregator[] } = { float: [], int64: [] };

  constructor(plan: WindowPlan) {
    this.#plan = plan;
  }

  take(isInt64: boolean): WindowAggregator {
    const free = this.#free[isInt64 ? "int64" : "float"].pop();
    if (free === undefined) return new WindowAggregator(this.#plan, isInt64);
    free.next();
    return free;
  }

  /** Returns an aggregator to the pool. None of its batches may be in use. */
  give(aggregator: WindowAggregator, isInt64: boolean): void {
    this.#free[isInt64 ? "int64" : "float"].push(aggregator);
  }
}
