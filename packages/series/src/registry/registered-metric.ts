/** A metric that is registered: the handle that users get. */
import type { MetricHandle, MetricType } from "../metric/metric.js";

/** The handle of a metric. It belongs to one open store. */
export class RegisteredMetric implements MetricHandle {
  readonly id: number;
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly type: MetricType;
  /** The registry that made it. */
  readonly #owner: object;
  readonly #tagCount: number;

  constructor(owner: object, id: number, name: string, tags: Readonly<Record<string, string>>, type: MetricType) {
    this.#owner = owner;
    this.id = id;
    this.name = name;
    this.tags = Object.freeze(tags);
    this.#tagCount = Object.keys(tags).length;
    this.type = type;
  }

  /** True if a value is a handle that this registry made. */
  static isOf(value: object, owner: object): value is RegisteredMetric {
    return #owner in value && value.#owner === owner;
  }

  /** How many tags a metric has. */
  static tagCount(metric: RegisteredMetric): number {
    return metric.#tagCount;
  }
}
