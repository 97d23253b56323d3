/**
 * The metrics of one call: those that are registered, and those that are not yet. All is checked before anything is registered, so a
 * call that is refused leaves no trace.
 */
import type { Metric, MetricType } from "../metric/metric.js";
import { checkType } from "./checks.js";
import type { RegisteredMetric } from "./registered-metric.js";
import type { Registry } from "./registry.js";

/** Metrics as they are in one turn of the event loop: it must be used in that turn. */
export class Resolution {
  /** The types of the metrics, in their order: also of those that are not registered yet. */
  readonly types: readonly MetricType[];
  readonly #registry: Registry;
  readonly #refs: readonly Metric[];
  /** Those that are registered. */
  readonly #metrics: readonly (RegisteredMetric | undefined)[];

  /**
   * `found`: what the store has of these metrics; none of its entries is needed for metrics that are in memory. Throws
   * `ERR_INVALID_METRIC`, `ERR_SERIES_TYPE` for a metric that has another type, and `ERR_OUT_OF_RANGE` when there are no more ids.
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

  /** The metric at `i`, if it is registered. */
  existing(i: number): RegisteredMetric | undefined {
    return this.#metrics[i];
  }

  /** Registers those that are not. Returns the handles of all, in their order. */
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
