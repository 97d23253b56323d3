/** Finds the metrics of calls in memory or in the store, in the order of the calls. */
import type { MetricRef } from "../api.js";
import type { Metric } from "../metric/metric.js";
import { copyOf } from "../registry/checks.js";
import type { RegisteredMetric } from "../registry/registered-metric.js";
import type { Registry } from "../registry/registry.js";
import { Resolution } from "../registry/resolution.js";
import type { CallOrder } from "./call-order.js";

/** Finds and registers the metrics of calls. */
export class CallMetrics {
  readonly #registry: Registry;
  readonly #order: CallOrder;

  constructor(registry: Registry, order: CallOrder) {
    this.#registry = registry;
    this.#order = order;
  }

  /** Returns the handle of a metric if it can be used at once: it is in memory, and no call waits. Throws for an invalid metric. */
  find(ref: MetricRef): RegisteredMetric | undefined {
    return this.#order.isFree ? this.#registry.find(ref) : undefined;
  }

  /** Returns the metrics of a call, if they are known from memory and no call waits. */
  atOnce(refs: readonly Metric[]): Resolution | undefined {
    const registry = this.#registry;
    if (!this.#order.isFree) return undefined;
    const isKnown = registry.isComplete || refs.every((ref) => registry.find(ref) !== undefined);
    return isKnown ? new Resolution(registry, refs, []) : undefined;
  }

  /**
   * Returns the metrics of a waiting call: searches the store at once, then awaits `ready`. The result is valid until the call's turn ends.
   */
  async inTurn(refs: readonly Metric[], ready: () => Promise<void>): Promise<Resolution> {
    const registry = this.#registry;
    let mark = registry.mark();
    let found = await this.#found(refs);
    await ready();
    while (!registry.isCertain(mark)) {
      mark = registry.mark();
      found = await this.#found(refs);
    }
    return new Resolution(registry, refs, found);
  }

  /** Searches metrics in memory and in the store. */
  async #found(refs: readonly Metric[]): Promise<(RegisteredMetric | undefined)[]> {
    const registry = this.#registry;
    const known = refs.map((ref) => registry.findAnyType(ref));
    if (registry.isComplete) return known;
    const missing = refs.filter((_, i) => known[i] === undefined);
    if (missing.length === 0) return known;
    const stored = await registry.lookUp(missing);
    let next = 0;
    return known.map((metric) => metric ?? stored[next++]);
  }

  /** Returns the handles of metrics, and registers unknown ones. `check` is called with the types before that. */
  async register(refs: readonly MetricRef[], check?: (resolution: Resolution) => void): Promise<RegisteredMetric[]> {
    // Copies: the caller may change its objects after the call.
    const copies = refs.map((ref) => copyOf(ref, this.#registry));
    const registered = (resolution: Resolution) => {
      check?.(resolution);
      return resolution.register();
    };
    const atOnce = this.atOnce(copies);
    if (atOnce !== undefined) return registered(atOnce);
    return await this.#order.inTurn(async (turn) => registered(await this.inTurn(copies, () => turn)));
  }

  /** Waits for the call's turn, and returns the handle of a metric; undefined if it is not registered. */
  async existing(ref: MetricRef, turn: Promise<void>): Promise<RegisteredMetric | undefined> {
    return (await this.inTurn([copyOf(ref, this.#registry)], () => turn)).existing(0);
  }
}
