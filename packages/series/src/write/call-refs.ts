/**
 * Copies of the metrics of a call, since the caller may change its objects. The first ones are checked when they are added. All others are
 * checked later, in slices: copying a tag costs little, checking its text does not.
 */
import type { MetricRef } from "../api.js";
import type { Metric, MetricType } from "../metric/metric.js";
import {
  CHECKED_AT_ONCE,
  checkObject,
  checkProperties,
  copyOf,
  copyOfTags,
  MetricCopy,
  optionalType,
  ownMetric,
} from "../registry/checks.js";
import { RegisteredMetric } from "../registry/registered-metric.js";
import type { Registry } from "../registry/registry.js";
import type { TimeSlices } from "../store/time-slices.js";

/** See above. */
export class CallRefs {
  readonly #registry: Registry;
  readonly #first: Metric[] = [];
  /** The further metrics: handles, or the names of others. */
  readonly #names: unknown[] = [];
  readonly #tags: unknown[] = [];
  readonly #types: (MetricType | undefined)[] = [];

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  static of(refs: Iterable<MetricRef>, registry: Registry): CallRefs {
    const all = new CallRefs(registry);
    for (const ref of refs) all.add(ref);
    return all;
  }

  get length(): number {
    return this.#first.length + this.#names.length;
  }

  /** All metrics, if they are few. */
  get few(): readonly Metric[] | undefined {
    return this.#names.length === 0 ? this.#first : undefined;
  }

  /**
   * Copies a metric. Throws `ERR_INVALID_ARGUMENT` unless it is an object with a valid type, and for one of the first also
   * `ERR_INVALID_METRIC` for an invalid name or tag.
   */
  add(ref: MetricRef): void {
    if (this.#first.length < CHECKED_AT_ONCE) {
      this.#first.push(copyOf(ref, this.#registry));
      return;
    }
    checkObject(ref);
    if (RegisteredMetric.isOf(ref, this.#registry)) {
      this.#add(ref, undefined, undefined);
      return;
    }
    checkProperties(ref);
    const { name, tags, type } = ownMetric(ref);
    this.#add(name, copyOfTags(tags), optionalType(type));
  }

  #add(name: unknown, tags: unknown, type: MetricType | undefined): void {
    this.#names.push(name);
    this.#tags.push(tags);
    this.#types.push(type);
  }

  /** Returns all metrics. Their names and tags are not checked. */
  async all(slices: TimeSlices): Promise<readonly Metric[]> {
    const all = this.#first;
    // Copying has taken its time.
    await slices.rest();
    for (let i = 0; i < this.#names.length; i++) {
      const name = this.#names[i];
      const isHandle = typeof name === "object" && name !== null && RegisteredMetric.isOf(name, this.#registry);
      all.push(isHandle ? name : new MetricCopy(name, this.#tags[i], this.#types[i]));
      const pause = slices.pause();
      if (pause !== undefined) await pause;
    }
    for (const part of [this.#names, this.#tags, this.#types]) part.length = 0;
    return all;
  }
}
