/** Bounds the memory of a query. */
import { PrometheusError } from "../errors.js";

/** The limits of a query. */
export interface QueryLimits {
  /** The most samples and points in memory at once. Default 50,000,000. */
  readonly maxSamples?: number;
  /** The most series of a selector. Default 100,000. */
  readonly maxSeries?: number;
  /** The most steps of a range query. Default 11,001: both ends of 11,000 intervals, as in Prometheus. */
  readonly maxPoints?: number;
}

/** The memory of a series that is kept, besides its points, in points: an instant query has one point a series. */
export const SERIES_POINTS = 32;

/** Counts the samples and points that a query keeps in memory. */
export class Budget {
  readonly maxSamples: number;
  readonly maxSeries: number;
  #held = 0;

  constructor({ maxSamples, maxSeries }: Required<QueryLimits>) {
    this.maxSamples = maxSamples;
    this.maxSeries = maxSeries;
  }

  /** Counts points that are kept. Throws `ERR_LIMIT_SAMPLES`. Called before their memory is allocated. */
  hold(points: number): void {
    this.#held += points;
    this.pass(0);
  }

  /** Takes back points that are not kept any more. */
  release(points: number): void {
    this.#held -= points;
  }

  /** Checks points that are kept for a moment. Throws `ERR_LIMIT_SAMPLES`. */
  pass(points: number): void {
    if (this.#held + points <= this.maxSamples) return;
    throw tooManySamples(this.maxSamples);
  }

  /** Throws `ERR_LIMIT_SERIES` if a selector has too many series. */
  checkSeries(count: number): void {
    if (count <= this.maxSeries) return;
    throw tooManySeries(this.maxSeries);
  }
}

/** The error of a query that needs more samples than `most`. */
export function tooManySamples(most: number): PrometheusError {
  const text = `query processing would load too many samples into memory in query execution: more than ${most}`;
  return new PrometheusError("ERR_LIMIT_SAMPLES", text);
}

/** The error of a selector with more series than `most`. */
export function tooManySeries(most: number): PrometheusError {
  return new PrometheusError("ERR_LIMIT_SERIES", `a selector matches more than ${most} series`);
}
