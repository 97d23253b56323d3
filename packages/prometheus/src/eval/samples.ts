/** Reads the samples of selectors from the source. */
import type { LabelMatcher } from "../parse/nodes.js";
import type { Read } from "../plan/nodes.js";
import type { Budget } from "./budget.js";
import type { Pace } from "./pace.js";
import type { Sink } from "./series.js";
import type { SampleSeries, SeriesSource } from "./source.js";

/** The reads of a query. Selectors with the same read share its series; others receive each series once, and it is not kept. */
export class Samples {
  readonly #source: SeriesSource;
  readonly #signal: AbortSignal | undefined;
  readonly #budget: Budget;
  readonly #pace: Pace;
  readonly #shared = new Map<Read, SampleSeries[]>();

  constructor(source: SeriesSource, signal: AbortSignal | undefined, budget: Budget, pace: Pace) {
    this.#source = source;
    this.#signal = signal;
    this.#budget = budget;
    this.#pace = pace;
  }

  /** Calls `sink` with each series of a read. */
  async each(read: Read, sink: Sink<SampleSeries>): Promise<void> {
    if (read.uses === 1) return this.select(read.matchers, read.from, read.to, sink);
    let series = this.#shared.get(read);
    if (series === undefined) {
      const all: SampleSeries[] = [];
      await this.select(read.matchers, read.from, read.to, (one) => {
        this.#budget.hold(one.timestamps.length);
        all.push(one);
        return undefined;
      });
      this.#shared.set(read, all);
      series = all;
    }
    for (const one of series) {
      const wait = sink(one) ?? this.#pace.spend(one.timestamps.length);
      if (wait !== undefined) await wait;
    }
  }

  /** Calls `sink` with each series from the source. Throws `ERR_LIMIT_SERIES`, `ERR_LIMIT_SAMPLES`. */
  async select(matchers: readonly LabelMatcher[], from: number, to: number, sink: Sink<SampleSeries>): Promise<void> {
    let count = 0;
    for await (const series of this.#source.select(matchers, from, to, this.#signal)) {
      this.#budget.checkSeries(++count);
      this.#budget.pass(series.timestamps.length);
      const wait = sink(series) ?? this.#pace.spend(series.timestamps.length);
      if (wait !== undefined) await wait;
    }
    this.#pace.check();
  }
}
