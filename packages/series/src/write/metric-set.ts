/** Metrics that are written together. */
import type { MetricSet } from "../api.js";
import type { MetricType } from "../metric/metric.js";
import type { RegisteredMetric } from "../registry/registered-metric.js";

/** A set of metrics of one store, with their ids in an array. */
export class RegisteredSet implements MetricSet {
  readonly type: MetricType;
  #metrics: readonly RegisteredMetric[];
  readonly #owner: object;
  /** The ids in the order of the set; a number if they are consecutive. */
  ids: Uint32Array | number;
  /** Number of forgotten metrics of the store at the last check of the set's metrics. */
  checkedAt: number;

  constructor(owner: object, metrics: readonly RegisteredMetric[], type: MetricType, checkedAt: number) {
    this.checkedAt = checkedAt;
    this.#owner = owner;
    this.#metrics = metrics;
    this.type = type;
    this.ids = idsOf(metrics);
  }

  static isOf(value: unknown, owner: object): value is RegisteredSet {
    return typeof value === "object" && value !== null && #owner in value && value.#owner === owner;
  }

  get size(): number {
    return this.#metrics.length;
  }

  get metrics(): readonly RegisteredMetric[] {
    return this.#metrics;
  }

  /** Replaces forgotten metrics. */
  replace(metrics: readonly RegisteredMetric[], checkedAt: number): void {
    this.#metrics = metrics;
    this.ids = idsOf(metrics);
    this.checkedAt = checkedAt;
  }
}

function idsOf(metrics: readonly RegisteredMetric[]): Uint32Array | number {
  const first = metrics[0]?.id ?? 0;
  let isRow = true;
  const ids = new Uint32Array(metrics.length);
  for (let i = 0; i < ids.length; i++) {
    ids[i] = metrics[i]!.id;
    if (ids[i] !== first + i) isRow = false;
  }
  return isRow ? first : ids;
}
