/** Reads the points of a store as series: typed arrays, no object a point. */
import type { MetricHandle, SelectedBlock, Series } from "@moonpack/series";
import { tooManySamples } from "../eval/budget.js";
import type { Labels } from "../eval/labels.js";
import { type StoreSelection, withMarkers } from "./selection.js";
import { labelsOf } from "./stored-labels.js";

/** A part of a store. */
export interface Read {
  readonly selection: StoreSelection;
  /** The first and the last time, both included, in milliseconds. */
  readonly from: number;
  readonly to: number;
  readonly signal: AbortSignal | undefined;
}

/** The points of a series. */
export interface StoredSeries {
  readonly labels: Labels;
  readonly timestamps: Float64Array;
  readonly values: Float64Array;
}

/** Reads a store. It remembers the labels of handles, which the store keeps for metrics that are in use. */
export class SeriesReader {
  readonly #series: Series;
  readonly #maxSamples: number;
  readonly #labels = new WeakMap<MetricHandle, Labels>();

  constructor(series: Series, maxSamples: number) {
    this.#series = series;
    this.#maxSamples = maxSamples;
  }

  /** Returns the labels of the series that a metric holds, or whose markers it holds. */
  labelsOf(metric: MetricHandle): Labels {
    let labels = this.#labels.get(metric);
    if (labels === undefined) this.#labels.set(metric, (labels = labelsOf(metric)));
    return labels;
  }

  /**
   * Yields the series that have points, or with `isMarker` the markers of those that have some. Throws `ERR_LIMIT_SAMPLES` for a series
   * with too many points.
   */
  async *read({ selection, from, to, signal }: Read, isMarker = false): AsyncGenerator<StoredSeries, void, undefined> {
    if (to < 0) return;
    const range = { from: Math.max(0, from), to: Math.min(to + 1, Number.MAX_SAFE_INTEGER) };
    const blocks = this.#series.blocks({ ...withMarkers(selection, isMarker), ...range, ...(signal && { signal }) });
    let metric: MetricHandle | undefined;
    let parts: Part[] = [];
    for await (const block of blocks) {
      for (let m = 0; m < block.metrics.length; m++) {
        const next = block.metrics[m]!;
        if (metric?.id !== next.id) {
          if (parts.length > 0) yield this.#seriesOf(metric!, parts);
          parts = [];
          metric = next;
        }
        if (block.offsets[m] !== block.offsets[m + 1]) parts.push(partOf(block, m));
      }
      this.#check(parts);
    }
    if (parts.length > 0) yield this.#seriesOf(metric!, parts);
  }

  #seriesOf(metric: MetricHandle, parts: readonly Part[]): StoredSeries {
    this.#check(parts);
    return { labels: this.labelsOf(metric), ...joined(parts) };
  }

  #check(parts: readonly Part[]): void {
    if (lengthOf(parts) > this.#maxSamples) throw tooManySamples(this.#maxSamples);
  }
}

type Part = Pick<StoredSeries, "timestamps" | "values">;

/** Copies the points of the metric at a place of a block, which is valid for a moment only. */
function partOf({ offsets, timestamps, values }: SelectedBlock, m: number): Part {
  const [from, to] = [offsets[m], offsets[m + 1]];
  return { timestamps: timestamps.slice(from, to), values: values.slice(from, to) };
}

function lengthOf(parts: readonly Part[]): number {
  return parts.reduce((length, { values }) => length + values.length, 0);
}

function joined(parts: readonly Part[]): Part {
  if (parts.length === 1) return parts[0]!;
  const timestamps = new Float64Array(lengthOf(parts));
  const values = new Float64Array(timestamps.length);
  let at = 0;
  for (const part of parts) {
    timestamps.set(part.timestamps, at);
    values.set(part.values, at);
    at += part.values.length;
  }
  return { timestamps, values };
}
