/** Copied points of a call that waits for its metrics. Types are checked later, all else now. */
import type { MetricRef } from "../api.js";
import type { Metric } from "../metric/metric.js";
import { copyOf } from "../registry/checks.js";
import type { Registry } from "../registry/registry.js";
import { checkNumber, milliseconds } from "./staging.js";

/** Points, in columns. */
export class DeferredPoints {
  readonly #registry: Registry;
  readonly #unit: number;
  readonly refs: Metric[] = [];
  readonly times: number[] = [];
  readonly values: (number | bigint)[] = [];
  /** The index of each point in the caller's list. */
  readonly indices: number[] = [];

  constructor(registry: Registry, unit: number) {
    this.#registry = registry;
    this.#unit = unit;
  }

  get length(): number {
    return this.refs.length;
  }

  /** Throws for an invalid metric, an invalid time, and a value that is not a number. */
  add(ref: MetricRef, timestamp: number, value: number | bigint, index: number): void {
    const metric = copyOf(ref, this.#registry);
    this.times.push(milliseconds(timestamp, this.#unit));
    checkNumber(value, metric);
    this.refs.push(metric);
    this.values.push(value);
    this.indices.push(index);
  }
}
