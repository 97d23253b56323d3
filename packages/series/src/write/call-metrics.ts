/** Finds the metrics of calls in memory or in the store, in the order of the calls. The work of large calls is divided into slices. */
import type { MetricRef } from "../api.js";
import type { Metric } from "../metric/metric.js";
import { CHECKED_AT_ONCE } from "../registry/checks.js";
import type { RegisteredMetric } from "../registry/registered-metric.js";
import type { Registry } from "../registry/registry.js";
import { Resolution } from "../registry/resolution.js";
import { TimeSlices } from "../store/time-slices.js";
import type { CallOrder } from "./call-order.js";
import { CallRefs } from "./call-refs.js";

/** Room for new metrics in memory and in the log. */
export interface Room {
  /** False if a call must wait. */
  readonly hasRoom: boolean;
  /** Waits until there is room. Throws if the store cannot be written. */
  waitForRoom(): Promise<void>;
  /** Throws if the store cannot be written. */
  assertWritable(): void;
  /** Called after metrics were registered. */
  grown(): void;
}

/** Finds and registers the metrics of calls. */
export class CallMetrics {
  readonly #registry: Registry;
  readonly #order: CallOrder;
  readonly #room: Room;

  constructor(registry: Registry, order: CallOrder, room: Room) {
    this.#registry = registry;
    this.#order = order;
    this.#room = room;
  }

  /** Returns the handle of a metric if it can be used at once: it is in memory, and no call waits. Throws for an invalid metric. */
  find(ref: MetricRef): RegisteredMetric | undefined {
    return this.#order.isFree ? this.#registry.find(ref) : undefined;
  }

  /** Returns the metrics of a small call, if no call waits, and if they are in memory or can be registered at once. */
  atOnce({ few: refs }: CallRefs): Resolution | undefined {
    const registry = this.#registry;
    if (!this.#order.isFree || refs === undefined) return undefined;
    const mayRegister = registry.isComplete && this.#room.hasRoom;
    return mayRegister || refs.every((ref) => registry.find(ref) !== undefined)
      ? Resolution.atOnce(registry, refs)
      : undefined;
  }

  /** Returns the metrics of a waiting call: searches the store at once, then awaits `ready`. */
  async resolve(given: CallRefs, ready: () => Promise<void>): Promise<Resolution> {
    const registry = this.#registry;
    const slices = new TimeSlices(CHECKED_AT_ONCE);
    const refs = given.few ?? (await given.all(slices));
    let mark = registry.mark();
    let found = await this.#found(refs, slices);
    await ready();
    for (;;) {
      if (registry.isCertain(mark)) {
        const resolution = await this.#resolved(refs, found, slices);
        // While slices were awaited, a round may have written metrics of earlier calls, and a read may have evicted them.
        if (registry.isCertain(mark)) return resolution;
      }
      mark = registry.mark();
      found = await this.#found(refs, slices);
    }
  }

  /** Searches metrics in memory and in the store. */
  async #found(refs: readonly Metric[], slices: TimeSlices): Promise<(RegisteredMetric | undefined)[]> {
    const registry = this.#registry;
    const known: (RegisteredMetric | undefined)[] = [];
    for (const ref of refs) {
      known.push(registry.findAnyType(ref));
      const pause = slices.pause();
      if (pause !== undefined) await pause;
    }
    if (registry.isComplete) return known;
    const missing = refs.filter((_, i) => known[i] === undefined);
    if (missing.length === 0) return known;
    const stored = await registry.lookUp(missing, slices);
    let next = 0;
    return known.map((metric) => metric ?? stored[next++]);
  }

  async #resolved(
    refs: readonly Metric[],
    found: readonly (RegisteredMetric | undefined)[],
    slices: TimeSlices,
  ): Promise<Resolution> {
    const resolution = new Resolution(this.#registry, refs);
    for (const metric of found) {
      resolution.check(metric);
      const pause = slices.pause();
      if (pause !== undefined) await pause;
    }
    resolution.checkIds();
    return resolution;
  }

  /** Waits for room, and registers metrics, when earlier calls have ended. Returns all handles, in order. */
  async registered(resolution: Resolution): Promise<RegisteredMetric[]> {
    if (resolution.hasNew && !this.#room.hasRoom) await this.#room.waitForRoom();
    if (resolution.length <= CHECKED_AT_ONCE) return this.registeredAtOnce(resolution);
    const slices = new TimeSlices(CHECKED_AT_ONCE);
    const metrics: RegisteredMetric[] = [];
    for (let i = 0; i < resolution.length; i++) {
      metrics.push(resolution.register(i));
      const pause = slices.pause();
      if (pause === undefined) continue;
      await pause;
      if (!this.#room.hasRoom) await this.#room.waitForRoom();
      this.#room.assertWritable();
      this.#room.grown();
    }
    return metrics;
  }

  /** Registers the metrics of a small call. Returns all handles, in order. */
  registeredAtOnce(resolution: Resolution): RegisteredMetric[] {
    const metrics: RegisteredMetric[] = [];
    for (let i = 0; i < resolution.length; i++) metrics.push(resolution.register(i));
    this.#room.grown();
    return metrics;
  }

  /** Returns the handles of metrics, and registers unknown ones. `check` is called with the types before that. */
  async register(refs: Iterable<MetricRef>, check?: (resolution: Resolution) => void): Promise<RegisteredMetric[]> {
    const copies = CallRefs.of(refs, this.#registry);
    const atOnce = this.atOnce(copies);
    if (atOnce !== undefined) {
      check?.(atOnce);
      return this.registeredAtOnce(atOnce);
    }
    return await this.#order.inOrder(async (previous) => {
      const resolution = await this.resolve(copies, () => previous);
      check?.(resolution);
      return await this.registered(resolution);
    });
  }

  /** Waits for earlier calls, and returns the handle of a metric; undefined if it is not registered. */
  async existing(ref: MetricRef, previous: Promise<void>): Promise<RegisteredMetric | undefined> {
    return (await this.resolve(CallRefs.of([ref], this.#registry), () => previous)).existing(0);
  }
}
