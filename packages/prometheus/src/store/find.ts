/** Finds series, the names of labels and their values in a store. */
import type { MetricHandle, Series } from "@moonpack/series";
import { tooManySeries } from "../eval/budget.js";
import { compareText } from "../eval/compare-text.js";
import type { Labels } from "../eval/labels.js";
import { LABEL_WORK, Pace } from "../eval/pace.js";
import type { LabelMatcher } from "../parse/nodes.js";
import { parseRequestMatchers } from "../parse/parse.js";
import { type StoreSelection, selectionOf, tagOf, withMarkers } from "./selection.js";
import type { SeriesReader } from "./series-reader.js";
import { originalText } from "./stored-labels.js";

/** The work of a selector. */
const SELECTOR_WORK = 512;

/** Which series are looked at. */
export interface FindRequest {
  /** Selectors, of which a series must meet one. None: all series. */
  readonly match: readonly string[];
  /** With a time, only series with points in the range, both ends included, in milliseconds. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly signal: AbortSignal;
}

/** Answers questions on the labels of a store. */
export class SeriesFinder {
  readonly #series: Series;
  readonly #reader: SeriesReader;
  readonly #maxSeries: number;

  constructor(series: Series, reader: SeriesReader, maxSeries: number) {
    this.#series = series;
    this.#reader = reader;
    this.#maxSeries = maxSeries;
  }

  /** Returns the labels of the series, in order. Throws `ERR_LIMIT_SERIES`, and as all calls `ERR_PROMQL_SYNTAX`. */
  async series(request: FindRequest): Promise<Labels[]> {
    const found = new Map<string, Labels>();
    await this.#each(request, (labels) => {
      found.set(labels.key, labels);
      if (found.size > this.#maxSeries) throw tooManySeries(this.#maxSeries);
    });
    return this.#pace(request).sort([...found.values()], (a, b) => a.compare(b));
  }

  /** Returns the names of labels, in order. Without selectors the times are not looked at. */
  async names(request: FindRequest): Promise<string[]> {
    const names = new Set<string>();
    const own = request.match.length > 0 ? request : { ...request, from: undefined, to: undefined };
    await this.#each(own, (labels) => {
      for (const name of labels.names) names.add(name);
    });
    return this.#pace(request).sort([...names], compareText);
  }

  /** Returns the values of a label, in order. Without selectors the times are not looked at. */
  async values(name: string, request: FindRequest): Promise<string[]> {
    const values = new Set<string>();
    const pace = this.#pace(request);
    if (request.match.length === 0) {
      const stored = await this.#series.tagValues(tagOf(name));
      await pace.each(stored, LABEL_WORK, (value) => values.add(originalText(value)));
    } else
      await this.#each(request, (labels) => {
        const value = labels.get(name);
        if (value !== "") values.add(value);
      });
    return pace.sort([...values], compareText);
  }

  #pace({ signal }: FindRequest): Pace {
    return new Pace(signal, Number.POSITIVE_INFINITY);
  }

  async #each(request: FindRequest, visit: (labels: Labels) => void): Promise<void> {
    const { match, from, to, signal } = request;
    const pace = this.#pace(request);
    const selectors: (readonly LabelMatcher[])[] = [];
    // All are read first: an error of one is an error before the store is.
    await pace.each(match, SELECTOR_WORK, (text) => selectors.push(parseRequestMatchers(text)));
    for (const conditions of match.length === 0 ? [[]] : selectors) {
      await pace.spend(SELECTOR_WORK);
      const selection = await selectionOf(this.#series, conditions, signal);
      if (selection === undefined) continue;
      const own = withMarkers(selection, false);
      const metrics =
        from === undefined && to === undefined ? this.#series.metrics(own) : this.#within(own, from, to, signal);
      for await (const metric of metrics) {
        visit(this.#reader.labelsOf(metric));
        await pace.spend(LABEL_WORK);
      }
    }
  }

  /** Yields the metrics that have points in a range. Blocks answer from their summaries. */
  async *#within(
    selection: StoreSelection,
    from = 0,
    to = MAX_TIME,
    signal: AbortSignal,
  ): AsyncGenerator<MetricHandle, void, undefined> {
    const start = Math.max(0, from);
    const end = Math.min(to, MAX_TIME) + 1;
    if (end <= start) return;
    const range = { from: start, to: end, window: end - start, origin: start, aggregate: ["count"] as const, signal };
    let last = -1;
    for await (const { metrics, offsets } of this.#series.select({ ...selection, ...range }).batches())
      for (let m = 0; m < metrics.length; m++) {
        if (offsets[m] === offsets[m + 1] || metrics[m]!.id === last) continue;
        last = metrics[m]!.id;
        yield metrics[m]!;
      }
  }
}

/** The last time of a Date, in milliseconds. */
const MAX_TIME = 8.64e15;
