/**
 * The metrics of one call, registered or not. All metrics are checked before any is registered, so a refused call changes nothing.
 */
import type { Metric, MetricType } from "../metric/metric.js";
import { checkType } from "./checks.js";
import type { RegisteredMetric } from "./registered-metric.js";
import type { Registry } from "./registry.js";

/** The metrics of a call. Valid only in the turn of the event loop in which it was created. */
export class Resolution {
  /** The types of the metrics, in order, also of unregistered ones. */
  readonly types: readonly MetricType[];
  readonly #registry: Registry;
  readonly #refs: readonly Metric[];
  /** The registered metrics. */
  readonly #metrics: readonly (RegisteredMetric | undefined)[];

  /**
   * `found` has the metrics that were found in the store; metrics in memory need no entry. Throws `ERR_INVALID_METRIC`, `ERR_SERIES_TYPE`
   * for a metric of another type, and `ERR_OUT_OF_RANGE` if all ids are used.
   */
  constructor(registry: Registry, refs: readonly Metric[], found: readonly (RegisteredMetric | undefined)[]) {
    this.#registry = registry;
    this.#refs = refs;
    const added = new Map<string, MetricType>();
    const types: MetricType[] = [];
    this.#metrics = refs.map((ref, i) => {
      const stored = found[i];
      const isCurrent = stored !== undefined && registry.isCurrent(stored);
      const metric = isCurrent ? stored : registry.find(ref);
      if (metric === undefined) {
        const form = registry.formText(ref);
        const type = added.get(form) ?? ref.type ?? "float";
        added.set(form, type);
        types.push(type);
      } else types.push(metric.type);
      checkType(ref.name, ref.type, types[i]!);
      return metric;
    });
    registry.assertIds(added.size);
    this.types = types;
  }

  /** Returns the metric at `i`, if it is registered. */
  existing(i: number): RegisteredMetric | undefined {
    return this.#metrics[i];
  }

  /** Registers the unregistered metrics. Returns all handles, in order. */
  register(): RegisteredMetric[] {
    const registry = this.#registry;
    return this.#metrics.map((metric, i) => {
      if (metric !== undefined) return metric;
      const ref = this.#refs[i]!;
      // A metric may be in the list more than once.
      return registry.find(ref) ?? registry.create(ref);
    });
  }
}
