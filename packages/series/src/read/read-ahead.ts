/** Shared by the reads of a selection: data that is read for several metrics at once, and the memory of aggregates. */
import { WindowAggregator } from "../window/aggregator.js";
import type { WindowPlan } from "../window/plan.js";
import type { ReadTurns } from "./turns.js";

/** Reads for a group of metrics when the first of them is read. */
export class ReadAhead {
  /** The turns of the whole selection: each of its reads is short. */
  readonly turns: ReadTurns;
  readonly #begin: () => Promise<void> | undefined;
  #isBegun = false;
  #pending: Promise<void> | undefined;

  constructor(turns: ReadTurns, begin: () => Promise<void> | undefined) {
    this.turns = turns;
    this.#begin = begin;
  }

  /** Undefined, or a promise of the time when the data is in memory. */
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

/** Aggregators that no read uses: to allocate their memory takes longer than a short read. */
export class AggregatorPool {
  readonly #plan: WindowPlan;
  readonly #free: { readonly [K in "float" | "int64"]: WindowAggregator[] } = { float: [], int64: [] };

  constructor(plan: WindowPlan) {
    this.#plan = plan;
  }

  take(isInt64: boolean): WindowAggregator {
    const free = this.#free[isInt64 ? "int64" : "float"].pop();
    if (free === undefined) return new WindowAggregator(this.#plan, isInt64);
    free.restart();
    return free;
  }

  /** No batch of it is in use any more. */
  give(aggregator: WindowAggregator, isInt64: boolean): void {
    this.#free[isInt64 ? "int64" : "float"].push(aggregator);
  }
}
