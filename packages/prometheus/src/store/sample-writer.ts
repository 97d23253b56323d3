/** Writes the samples of series to a store. */
import type { MetricHandle, NewPoint, Series } from "@moonpack/series";
import { type ErrorCode, MoonpackError, printable } from "moonpack/bytes";
import { PrometheusError } from "../errors.js";
import { LABEL_WORK, Pace } from "../eval/pace.js";
import { MAX_LABELS, markerMetric, type StoredMetric, storedMetric } from "./stored-labels.js";

/** Points of one call of the store, and series that are searched at once. */
const POINTS_AT_ONCE = 8192;
const SERIES_AT_ONCE = 512;
/** Calls of the store that may wait for its log. */
const CALLS_AT_ONCE = 8;
/** The work of the points of one call, in the units of {@link Pace}: about 3 ms. */
const CALL_WORK = 1 << 15;
/** The end of a store's times: the year 3226. */
const END_OF_TIME = 65_536 * 604_800_000;
/** The errors of a series that no store can keep, or not this one. */
const REFUSALS: ReadonlySet<ErrorCode> = /* @__PURE__ */ new Set<ErrorCode>(["ERR_INVALID_METRIC", "ERR_SERIES_TYPE"]);
/** The longest name that an error text shows. */
const MAX_SHOWN = 200;

/** A series to write. */
export interface SampleSeries {
  /** The name of the metric. */
  readonly name: string;
  /** The other labels. */
  readonly labels: { readonly [name: string]: string };
  /** The metric of its values, once it is known: for series that are written again. */
  handle?: MetricHandle | undefined;
}

/** Samples of several series. */
export interface SampleColumns {
  /** The series. One may occur twice. */
  readonly series: readonly SampleSeries[];
  /** The samples of series i are those from `offsets[i]` up to `offsets[i + 1]`. */
  readonly offsets: Uint32Array;
  /** Whole milliseconds. */
  readonly timestamps: Float64Array;
  /** The values. The value of a marker is ignored. */
  readonly values: Float64Array;
  /** 1 for a staleness marker, else 0. */
  readonly stale: Uint8Array;
}

/** The result of a write. */
export interface Written {
  /** The number of samples in the store, markers included. */
  readonly accepted: number;
  /** The number of samples that the store cannot keep. */
  readonly refused: number;
  /** Why the first of them was refused. */
  readonly first: MoonpackError | undefined;
}

/**
 * Writes samples. Resolves when they have the durability of the store. Samples are refused and counted if their series has more than
 * {@link MAX_LABELS} labels or a text that is too long, or is a metric of integers, and if their time is before 1970, beyond the store's
 * retention or too far ahead. Throws the errors of the store, after which some samples may be written.
 */
export async function writeSamples(store: Series, columns: SampleColumns): Promise<Written> {
  const writer = new SampleWriter(store, columns);
  try {
    await writer.run();
  } finally {
    await writer.ended();
  }
  return writer.written;
}

/** Returns the number of markers. A request may have millions of samples. */
export function countMarkers(stale: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < stale.length; i++) count += stale[i]!;
  return count;
}

class SampleWriter {
  readonly #store: Series;
  readonly #columns: SampleColumns;
  readonly #pace = new Pace(undefined, Number.POSITIVE_INFINITY);
  readonly written = { accepted: 0, refused: 0, first: undefined as MoonpackError | undefined };
  /** The points of the next call. */
  #points: NewPoint[] = [];
  /** The calls that have not ended. None of them rejects: see `#failure`. */
  #calls: Promise<void>[] = [];
  #failure: { readonly error: unknown } | undefined;

  constructor(store: Series, columns: SampleColumns) {
    this.#store = store;
    this.#columns = columns;
  }

  async run(): Promise<void> {
    const { length } = this.#columns.series;
    for (let from = 0; from < length; from += SERIES_AT_ONCE)
      await this.#some(from, Math.min(from + SERIES_AT_ONCE, length));
    this.#send();
    await this.ended();
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Waits until all calls have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#calls);
  }

  /** Writes the series from `from` up to `to`. */
  async #some(from: number, to: number): Promise<void> {
    const found: Promise<(MetricHandle | undefined)[]>[] = [];
    for (let i = from; i < to; i++) found.push(this.#metrics(i));
    const metrics = await Promise.all(found);
    // Series and samples that are refused cause no calls, which give the event loop its turns.
    await this.#pace.spend(LABEL_WORK * (to - from));
    for (let i = from; i < to; i++) {
      const end = this.#columns.offsets[i + 1]!;
      for (let at = this.#columns.offsets[i]!; at < end; at++) {
        const metric = metrics[i - from]![this.#columns.stale[at]!];
        if (metric !== undefined) this.#add(metric, at);
        if (this.#points.length >= POINTS_AT_ONCE) await this.#next();
        else if (at % POINTS_AT_ONCE === 0) await this.#pace.spend(CALL_WORK);
      }
    }
  }

  /** The metrics of a series: of its values, and of its markers. Undefined: it has none, or the store refuses it. */
  async #metrics(i: number): Promise<(MetricHandle | undefined)[]> {
    const { series, offsets, stale } = this.#columns;
    const one = series[i]!;
    const kinds = stale.subarray(offsets[i], offsets[i + 1]);
    const markers = countMarkers(kinds);
    if (markers === 0 && one.handle !== undefined) return [one.handle];
    const metric = storedMetric(one.name, one.labels);
    const count = Object.keys(metric.tags).length + 1;
    if (count > MAX_LABELS) {
      this.#refuse(kinds.length, one.name, "ERR_INVALID_METRIC", `${count} labels, more than ${MAX_LABELS}`);
      return [];
    }
    one.handle ??= await this.#metric(metric, kinds.length - markers);
    return [one.handle, await this.#metric(markerMetric(metric), markers)];
  }

  async #metric(metric: StoredMetric, samples: number): Promise<MetricHandle | undefined> {
    if (samples === 0) return undefined;
    try {
      return await this.#store.metric({ ...metric, type: "float" });
    } catch (error) {
      if (!(error instanceof MoonpackError && REFUSALS.has(error.code))) throw error;
      this.#refuse(samples, metric.name, error.code, error.message);
      return undefined;
    }
  }

  #add(metric: MetricHandle, at: number): void {
    const timestamp = this.#columns.timestamps[at]!;
    if (timestamp >= 0 && timestamp < END_OF_TIME)
      this.#points.push({ metric, timestamp, value: this.#columns.stale[at] === 1 ? 1 : this.#columns.values[at]! });
    else this.#refuse(1, metric.name, "ERR_OUT_OF_RANGE", `the timestamp ${timestamp} is beyond the times of a store`);
  }

  /** Sends the points, and waits while many calls do. */
  async #next(): Promise<void> {
    this.#send();
    await this.#pace.spend(CALL_WORK);
    if (this.#calls.length < CALLS_AT_ONCE) return;
    await this.ended();
    this.#calls = [];
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #send(): void {
    if (this.#points.length === 0) return;
    const points = this.#points;
    this.#points = [];
    this.#calls.push(
      this.#store.write(points).then(
        ({ accepted, refused, firstRefused = 0 }) => {
          this.written.accepted += accepted;
          if (refused === 0) return;
          const { metric, timestamp } = points[firstRefused]!;
          const why = `the timestamp ${timestamp} is too old or too far ahead for the store`;
          this.#refuse(refused, metric.name, "ERR_OUT_OF_RANGE", why);
        },
        (error: unknown) => {
          this.#failure ??= { error };
        },
      ),
    );
  }

  /** Counts samples. A request may have millions of them: only the first one makes an error. */
  #refuse(samples: number, name: string, code: ErrorCode, why: string): void {
    this.written.refused += samples;
    this.written.first ??= new PrometheusError(code, printable(`${JSON.stringify(name.slice(0, MAX_SHOWN))}: ${why}`));
  }
}
