/** A store as a source of queries. */
import type { Series } from "@moonpack/series";
import type { QueryLimits } from "../eval/budget.js";
import type { SampleSeries, SeriesSource } from "../eval/source.js";
import type { LabelMatcher } from "../parse/nodes.js";
import { readMarkers, withMarkers } from "./markers.js";
import { selectionOf } from "./selection.js";
import { SeriesReader } from "./series-reader.js";

/** Reads the series of a store, with their staleness markers. A series that has only markers in a range has no sample there. */
export class StoreSource implements SeriesSource {
  readonly #series: Series;
  readonly #limits: Required<QueryLimits>;
  /** Reads the metrics of the store. */
  readonly reader: SeriesReader;

  constructor(series: Series, limits: Required<QueryLimits>) {
    this.#series = series;
    this.#limits = limits;
    this.reader = new SeriesReader(series, limits.maxSamples);
  }

  async *select(
    conditions: readonly LabelMatcher[],
    from: number,
    to: number,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<SampleSeries, void, undefined> {
    const selection = await selectionOf(this.#series, conditions, signal);
    if (selection === undefined) return;
    const read = { selection, from, to, signal };
    const markers = await readMarkers(this.reader, read, this.#limits);
    for await (const one of this.reader.read(read)) {
      const own = markers.get(one.labels.key);
      yield own === undefined ? one : withMarkers(one, own);
    }
  }
}
