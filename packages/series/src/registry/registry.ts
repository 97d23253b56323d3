/**
 * The registry of metrics: maps names and tags to ids (docs/series-format.md, section 2). Recently used metrics are in memory, others in the
 * store. A new metric gets its id at once and is logged; a round writes it to the store (persist.ts).
 */
import { MoonpackError } from "moonpack/bytes";
import type { MetricRef } from "../api.js";
import { CanonicalForms, parseCanonical } from "../metric/canonical.js";
import type { Metric, MetricType } from "../metric/metric.js";
import type { StoredName } from "../metric/stored-name.js";
import type { MetricRetention } from "../retention/metric-retention.js";
import type { NameSource } from "../select/name-source.js";
import { TimeSlices } from "../store/time-slices.js";
import { checkedType, checkObject, checkProperties, checkType, MetricCopy, ownMetric } from "./checks.js";
import { MetricMemory, type PendingMetric, weightOf } from "./metric-memory.js";
import { RegisteredMetric } from "./registered-metric.js";

/** The upper bound of ids, exclusive. */
const MAX_IDS = 2 ** 31;

/** Maximum number of metrics that one call of the driver looks up. */
const LOADED_AT_ONCE = 1024;

/** Metrics that a new one evicts, at most: after a round many may be above the limit. At least the greatest weight. */
const DROPPED_AT_ONCE = 16;

/** Sink for new metric definitions. */
export interface DefinitionLog {
  /** Throws if the log cannot accept records. */
  assertWritable(): void;
  /** Appends the definition of a metric. */
  define(id: number, type: MetricType, canonical: Uint8Array): void;
}

/** Finds and registers metrics. */
export class Registry {
  readonly #names: NameSource;
  readonly #log: DefinitionLog;
  readonly #maxCached: number;
  readonly #forms = new CanonicalForms();
  readonly #memory = new MetricMemory();
  #next: number;
  /** The value of `next` in the store. */
  persistedNext: number;
  /** True while all metrics of the store are in memory: a metric that is not found is then new. */
  #isComplete: boolean;
  /** The greatest id that was evicted from memory. */
  #lastDropped = -1;

  /**
   * How long metrics are kept; undefined without rules. It is set before the first metric, so it knows all metrics that have a handle.
   *
   * @internal
   */
  retention: MetricRetention | undefined;

  constructor(names: NameSource, log: DefinitionLog, next: number, maxCached: number) {
    this.#names = names;
    this.#log = log;
    this.#next = this.persistedNext = next;
    this.#maxCached = maxCached;
    this.#isComplete = next === 0;
  }

  /** The next id, which is the number of metrics ever registered. */
  get next(): number {
    return this.#next;
  }

  /** Metrics that are not yet in the store, by ascending id. */
  get pending(): ReadonlyMap<number, PendingMetric> {
    return this.#memory.pending;
  }

  /** Estimated memory of the metrics that are not yet in the store. */
  get pendingBytes(): number {
    return this.#memory.pendingBytes;
  }

  /**
   * Returns the handle of a metric in memory. Returns undefined if the store must be searched: see {@link load} and {@link isComplete}.
   * Throws `ERR_INVALID_METRIC`, or `ERR_SERIES_TYPE` for a metric of another type.
   */
  find(ref: MetricRef): RegisteredMetric | undefined {
    checkObject(ref);
    if (this.#isMine(ref)) return ref;
    const own = ownMetric(ref);
    const { name, tags, type } = own;
    // A misspelled "tags" would find the metric without tags.
    if (tags === undefined) checkProperties(ref);
    const known = this.#memory.byName(name, tags) ?? this.#findCanonical(own);
    if (known === undefined) return undefined;
    checkType(name, type, known.type);
    return known;
  }

  /** Returns the handle of a metric like {@link find}, but for any type. */
  findAnyType(ref: Metric): RegisteredMetric | undefined {
    return this.#isMine(ref) ? ref : (this.#memory.byName(ref.name, ref.tags) ?? this.#findCanonical(ref));
  }

  /** Returns the canonical form of a metric. Throws `ERR_INVALID_METRIC`. */
  formOf(ref: Metric): Uint8Array {
    if (ref instanceof MetricCopy) return ref.formBy(this.#forms);
    checkObject(ref);
    checkProperties(ref);
    return this.#forms.of(ownMetric(ref));
  }

  /** Returns a text that is equal for equal metrics only. Throws `ERR_INVALID_METRIC`. */
  formText(ref: Metric): string {
    return textOf(this.formOf(ref));
  }

  /** Returns true for a handle whose metric has not been forgotten. */
  isCurrent(metric: RegisteredMetric): boolean {
    return this.#isMine(metric);
  }

  /** True for a handle of this registry whose metric has not been forgotten. A metric may have several handles, so ids are compared. */
  #isMine(ref: object): ref is RegisteredMetric {
    return RegisteredMetric.isOf(ref, this) && (this.#forgotten.size === 0 || !this.#forgotten.has(ref.id));
  }

  /** Throws for an invalid metric. A metric whose empty tags have long names is valid. */
  #findCanonical(ref: Metric): RegisteredMetric | undefined {
    const form = this.formOf(ref);
    if (ref.tags === undefined || !Object.values(ref.tags).includes("")) return undefined;
    const { name, tags } = parseCanonical(form);
    return this.#memory.byName(name, tags);
  }

  /** Registers a metric that is neither in memory nor in the store. */
  create(ref: Metric): RegisteredMetric {
    this.assertIds(1);
    const form = this.formOf(ref);
    const type = ref.type === undefined ? "float" : checkedType(ref.type);
    this.#log.assertWritable();
    const id = this.#next++;
    this.#log.define(id, type, form);
    return this.#addPending(id, type, form);
  }

  /** Throws `ERR_OUT_OF_RANGE` unless `count` ids are left. */
  assertIds(count: number): void {
    if (this.#next + count > MAX_IDS) throw new MoonpackError("ERR_OUT_OF_RANGE", "a store has at most 2^31 metrics");
  }

  /** Adds a definition from the log. */
  recover(id: number, type: MetricType, form: Uint8Array): void {
    this.keepFree(id);
    if (this.#memory.byId(id) !== undefined) return;
    this.#addPending(id, type, form.slice());
  }

  /** Reserves ids up to this one: new metrics get greater ids. */
  keepFree(id: number): void {
    this.#next = Math.max(this.#next, id + 1);
  }

  #addPending(id: number, type: MetricType, form: Uint8Array): RegisteredMetric {
    const metric = this.#newMetric(id, type, form);
    this.#memory.addPending(metric, form);
    this.#dropOldest(DROPPED_AT_ONCE);
    return metric;
  }

  /** Adds a metric of the store to memory. The caller evicts others afterwards, when this one is used. */
  #remember({ id, type, form }: StoredName): RegisteredMetric {
    const known = this.#memory.byId(id);
    if (known !== undefined) return known;
    const metric = this.#newMetric(id, type, form);
    this.#memory.addCached(metric);
    return metric;
  }

  #newMetric(id: number, type: MetricType, form: Uint8Array): RegisteredMetric {
    const { name, tags } = parseCanonical(form);
    this.retention?.add(id, name, tags);
    return new RegisteredMetric(this, id, name, tags, type, weightOf(form));
  }

  #dropOldest(most: number): void {
    this.#memory.dropOldest(this.#maxCached, most, (id) => {
      this.#isComplete = false;
      this.#lastDropped = Math.max(this.#lastDropped, id);
    });
  }

  /** True while all metrics are in memory: the store need not be searched. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Returns a mark for a search of the store: while it {@link isCertain}, a metric that is not found is not registered. */
  mark(): number {
    return this.#isComplete ? 0 : this.persistedNext;
  }

  /** Returns false if a metric may have been written to the store after the search, and evicted from memory since. */
  isCertain(mark: number): boolean {
    return this.#lastDropped < mark;
  }

  /** Returns the handle of a metric, from memory or the store; undefined if it is not registered. Throws like {@link find}. */
  async load(ref: Metric): Promise<RegisteredMetric | undefined> {
    const [metric] = await this.lookUp([ref]);
    if (metric === undefined || !this.#isMine(metric)) return this.find(ref);
    const { name, type } = ownMetric(ref);
    checkType(name, type, metric.type);
    return metric;
  }

  /**
   * Searches metrics in the store. Returns their handles, undefined for missing metrics. Memory may be too small for the result, so
   * {@link find} may not find these metrics. Throws `ERR_INVALID_METRIC`.
   */
  async lookUp(refs: readonly Metric[], slices = new TimeSlices()): Promise<(RegisteredMetric | undefined)[]> {
    // Many points may have the same metric.
    const forms = new Map<string, Uint8Array>();
    const texts: string[] = [];
    for (const ref of refs) {
      const form = this.formOf(ref);
      const text = textOf(form);
      if (!forms.has(text)) forms.set(text, form);
      texts.push(text);
      const pause = slices.pause();
      if (pause !== undefined) await pause;
    }
    const found = new Map<string, RegisteredMetric>();
    const all = [...forms];
    for (let i = 0; i < all.length; i += LOADED_AT_ONCE) {
      await this.#load(all.slice(i, i + LOADED_AT_ONCE), found);
      await slices.pause();
    }
    return texts.map((text) => found.get(text));
  }

  async #load(forms: readonly (readonly [string, Uint8Array])[], found: Map<string, RegisteredMetric>): Promise<void> {
    let names: (StoredName | undefined)[];
    let mark: number;
    do {
      mark = this.persistedNext;
      names = await this.#names.byForm(forms.map(([, form]) => form));
      // A metric that was written and evicted during the read would be neither in the result nor in memory.
    } while (!this.isCertain(mark));
    names.forEach((name, i) => {
      // It may have been forgotten since the search.
      if (name !== undefined && !this.#forgotten.has(name.id)) found.set(forms[i]![0], this.#remember(name));
    });
    this.#dropOldest(DROPPED_AT_ONCE * forms.length);
  }

  /** Returns the handles of ids, in order; undefined for forgotten metrics. */
  async byIds(ids: readonly number[]): Promise<(RegisteredMetric | undefined)[]> {
    // Metrics in memory may be evicted during the search.
    const metrics = ids.map((id) => this.#memory.byId(id));
    const missing = ids.filter((_, i) => metrics[i] === undefined);
    const found = new Map<number, RegisteredMetric>();
    for (const name of missing.length === 0 ? [] : await this.#names.byId(missing))
      if (name !== undefined && !this.#forgotten.has(name.id)) found.set(name.id, this.#remember(name));
    this.#dropOldest(DROPPED_AT_ONCE * ids.length);
    return ids.map((id, i) => {
      const metric = metrics[i] ?? found.get(id);
      return metric !== undefined && this.#isMine(metric) ? metric : undefined;
    });
  }

  /** Metrics that were forgotten since the store was opened. */
  readonly #forgotten = new Set<number>();

  /** Number of forgotten metrics. */
  get forgotten(): number {
    return this.#forgotten.size;
  }

  /** Forgets a metric in memory. The caller deletes its entries in the store. */
  forget(metric: RegisteredMetric): void {
    this.#forgotten.add(metric.id);
    this.#memory.forget(metric);
  }

  /** Marks metrics, and `next`, as written to the store. */
  persisted(metrics: readonly PendingMetric[], next: number): void {
    this.#memory.persisted(metrics);
    this.persistedNext = Math.max(this.persistedNext, next);
  }
}

/** Returns a canonical form as the key of a Map. */
function textOf(form: Uint8Array): string {
  return Buffer.from(form.buffer, form.byteOffset, form.length).toString("latin1");
}
