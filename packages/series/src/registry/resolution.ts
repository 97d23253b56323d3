/**
 * The metrics of one call, registered or not. All metrics are checked before any is registered, so a refused call changes nothing. Each step
 * takes one metric, so that the work of a large call can be divided.
 */
import type { Metric, MetricType } from "../metric/metric.js";
import { checkType } from "./checks.js";
import type { RegisteredMetric } from "./registered-metric.js";
import type { Registry } from "./registry.js";

/** The metrics of a call. Valid while no other call acts, or in the iteration of the event loop in which it was created. */
export class Resolution {
  /** The types of the metrics, in order, also of unregistered ones. */
  readonly types: MetricType[] = [];
  readonly #registry: Registry;
  readonly #refs: readonly Metric[];
  /** The registered metrics. */
  readonly #metrics: (RegisteredMetric | undefined)[] = [];
  /** The place of each unregistered metric in the list, by its form. A metric may be in the list more than once. */
  readonly #added = new Map<string, number>();

  constructor(registry: Registry, refs: readonly Metric[]) {
    this.#registry = registry;
    this.#refs = refs;
  }

  /** Resolves metrics at once. Throws like {@link check} and {@link checkIds}. */
  static atOnce(registry: Registry, refs: readonly Metric[]): Resolution {
    const resolution = new Resolution(registry, refs);
    for (let i = 0; i < refs.length; i++) resolution.check(undefined);
    resolution.checkIds();
    return resolution;
  }

  get length(): number {
    return this.#refs.length;
  }

  /**
   * Checks the next metric. `stored` was found in the store; a metric in memory need not be. Throws `ERR_INVALID_METRIC`, and
   * `ERR_SERIES_TYPE` for a metric of another type.
   */
  check(stored: RegisteredMetric | undefined): void {
    const registry = this.#registry;
    const i = this.#metrics.length;
    const ref = this.#refs[i]!;
    const metric = stored !== undefined && registry.isCurrent(stored) ? stored : registry.find(ref);
    let type = metric?.type;
    if (type === undefined) {
      const form = registry.formText(ref);
      const first = this.#added.get(form);
      if (first === undefined) this.#added.set(form, i);
      type = first === undefined ? (ref.type ?? "float") : this.types[first]!;
    }
    checkType(ref.name, ref.type, type);
    this.types.push(type);
    this.#metrics.push(metric);
  }

  /** Must be called when all metrics are checked. Throws `ERR_OUT_OF_RANGE` if too few ids are left. */
  checkIds(): void {
    this.#registry.assertIds(this.#added.size);
  }

  /** True if metrics must be registered. */
  get hasNew(): boolean {
    return this.#added.size > 0;
  }

  /** Returns the metric at `i` as the call has it. */
  ref(i: number): Metric {
    return this.#refs[i]!;
  }

  /** Returns the metric at `i`, if it is registered. */
  existing(i: number): RegisteredMetric | undefined {
    return this.#metrics[i];
  }

  /** Returns the handle of the metric at `i`, and registers it if needed. Must be called by ascending `i`. */
  register(i: number): RegisteredMetric {
    const known = this.#metrics[i];
    if (known !== undefined) return known;
    const first = this.#added.get(this.#registry.formText(this.#refs[i]!))!;
    return (this.#metrics[i] = this.#metrics[first] ?? this.#registry.create(this.#refs[i]!));
  }
}
