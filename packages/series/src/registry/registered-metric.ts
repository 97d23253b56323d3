/** A registered metric: the handle for users. */
import type { MetricHandle, MetricType } from "../metric/metric.js";

/** The handle of a metric in one open store. */
export class RegisteredMetric implements MetricHandle {
  /** The id of the metric in this store. */
  readonly id: number;
  /** The name. */
  readonly name: string;
  /** The tags, without empty values. */
  readonly tags: Readonly<Record<string, string>>;
  /** The type of the values. */
  readonly type: MetricType;
  /** The registry that created it. */
  readonly #owner: object;
  readonly #tagCount: number;
  readonly #weight: number;

  constructor(
    owner: object,
    id: number,
    name: string,
    tags: Readonly<Record<string, string>>,
    type: MetricType,
    weight = 1,
  ) {
    this.#owner = owner;
    this.id = id;
    this.name = name;
    this.tags = Object.freeze(tags);
    this.#tagCount = Object.keys(tags).length;
    this.type = type;
    this.#weight = weight;
  }

  /** Returns true for a handle of this registry. */
  static isOf(value: object, owner: object): value is RegisteredMetric {
    return #owner in value && value.#owner === owner;
  }

  /** Returns the share of the cache that a metric takes: 1, more for long names and tags. */
  static weight(metric: RegisteredMetric): number {
    return metric.#weight;
  }

  /** Returns the number of a metric's tags. */
  static tagCount(metric: RegisteredMetric): number {
    return metric.#tagCount;
  }
}
