/**
 * The metrics in memory: pending ones, which no round has written to the store yet, and recently used ones, which can be evicted. Pending
 * metrics count towards `maxHeadBytes`, all metrics towards `maxCachedMetrics`.
 */
import { MetricTree } from "./metric-tree.js";
import { RegisteredMetric } from "./registered-metric.js";

/** A metric that is not yet in the store. */
export interface PendingMetric {
  /** The handle of the metric. */
  readonly metric: RegisteredMetric;
  /** The canonical form. */
  readonly form: Uint8Array;
}

/** Bytes of a canonical form that count as one metric of `maxCachedMetrics`. */
const WEIGHED_BYTES = 256;

/** Returns the number of cached metrics that a metric with this form counts as. */
export function weightOf(form: Uint8Array): number {
  return Math.ceil(form.length / WEIGHED_BYTES);
}

/** Returns the estimated memory of a pending metric: its form as bytes and as texts, objects, and entries of maps. */
export function pendingBytes(form: Uint8Array): number {
  return 2 * form.length + 700;
}

/** See above. */
export class MetricMemory {
  /** All metrics in memory. Of several with the same name and tags only the newest. */
  readonly #byName = new MetricTree();
  /** Metrics that are also in the store, by id, the oldest in memory first. */
  readonly #cached = new Map<number, RegisteredMetric>();
  /** Pending metrics by ascending id. */
  readonly #pending = new Map<number, PendingMetric>();
  #pendingBytes = 0;
  #weight = 0;

  get pending(): ReadonlyMap<number, PendingMetric> {
    return this.#pending;
  }

  /** Estimated memory of the pending metrics. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  byName(name: unknown, tags: unknown): RegisteredMetric | undefined {
    return this.#byName.get(name, tags);
  }

  byId(id: number): RegisteredMetric | undefined {
    return this.#pending.get(id)?.metric ?? this.#cached.get(id);
  }

  addPending(metric: RegisteredMetric, form: Uint8Array): void {
    this.#add(metric);
    this.#pending.set(metric.id, { metric, form });
    this.#pendingBytes += pendingBytes(form);
  }

  /** Adds a metric of the store. */
  addCached(metric: RegisteredMetric): void {
    this.#add(metric);
    this.#cached.set(metric.id, metric);
  }

  #add(metric: RegisteredMetric): void {
    this.#weight += RegisteredMetric.weight(metric);
    // The entries of a forgotten metric may be read after a new one with its name was registered: the new one stays.
    if ((this.#byName.get(metric.name, metric.tags)?.id ?? -1) < metric.id) this.#byName.set(metric);
  }

  /** Marks metrics as written to the store. Metrics that were forgotten during the write are not added again. */
  persisted(metrics: readonly PendingMetric[]): void {
    for (const { metric } of metrics) if (this.#noLongerPending(metric.id)) this.#cached.set(metric.id, metric);
  }

  #noLongerPending(id: number): boolean {
    const one = this.#pending.get(id);
    if (one === undefined) return false;
    this.#pending.delete(id);
    this.#pendingBytes -= pendingBytes(one.form);
    return true;
  }

  forget({ id }: RegisteredMetric): void {
    // A metric may have several handles: the one in memory is removed.
    const metric = this.byId(id);
    if (metric === undefined) return;
    this.#noLongerPending(id);
    this.#cached.delete(id);
    this.#remove(metric);
  }

  /** Evicts at most `most` metrics while their weight is above `limit`, the oldest in memory first. Pending ones stay. */
  dropOldest(limit: number, most: number, dropped: (id: number) => void): void {
    if (this.#weight <= limit) return;
    let left = most;
    for (const [id, metric] of this.#cached) {
      this.#cached.delete(id);
      this.#remove(metric);
      dropped(id);
      if (this.#weight <= limit || --left === 0) return;
    }
  }

  #remove(metric: RegisteredMetric): void {
    this.#weight -= RegisteredMetric.weight(metric);
    this.#byName.delete(metric);
  }
}
