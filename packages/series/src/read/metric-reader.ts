/** Finds metrics in the index, and in memory if no round has written them yet. */
import type { MetricRef } from "../api.js";
import type { RegisteredMetric } from "../registry/registered-metric.js";
import type { Registry } from "../registry/registry.js";
import type { CompiledMatch } from "../select/match.js";
import type { NameSource } from "../select/name-source.js";
import { matchingIds, selectIds } from "../select/select-ids.js";
import { tagValues } from "../select/tag-values.js";
import type { ReadScheduler } from "./read-scheduler.js";

/** Maximum number of metrics whose handles are read together. */
const HANDLES = 256;
/** The first ones are few: the names of each may be in other pages of the disk, and the first metric should not wait for all. */
const FIRST_HANDLES = 8;

/** The parts of a store that finding metrics needs. */
export interface MetricReaderParts {
  readonly names: NameSource;
  readonly registry: Registry;
  /** Throws if the store is closed. */
  assertOpen(): void;
}

/** Reads the metrics of a store. */
export class MetricReader {
  readonly #parts: MetricReaderParts;

  constructor(parts: MetricReaderParts) {
    this.#parts = parts;
  }

  /** Returns the matching metrics, by ascending id. */
  async *matching(compiled: CompiledMatch, scheduler: ReadScheduler): AsyncGenerator<RegisteredMetric> {
    for await (const group of this.groups(compiled, scheduler)) yield* group;
  }

  /** Returns the matching metrics as {@link matching}, in groups. */
  async *groups(match: CompiledMatch, scheduler: ReadScheduler): AsyncGenerator<readonly RegisteredMetric[]> {
    const compiled = match.complete === undefined ? match : await match.complete();
    this.#parts.assertOpen();
    const { names, registry } = this.#parts;
    // Metrics that no round has written yet are not in the index. Their ids are greater than all others.
    const pending = [...registry.pending.values()].map(({ metric }) => metric);
    const firstPending = pending[0]?.id ?? Number.POSITIVE_INFINITY;
    const isPending = (id: number) => id >= firstPending && hasId(pending, id);
    let ids: number[] = [];
    let most = FIRST_HANDLES;
    for await (const { chunk, ids: inChunk } of selectIds(scheduler.indexOf(names), compiled, registry.next - 1)) {
      for (const k of inChunk.list()) {
        const id = chunk * 4096 + k;
        if (!isPending(id)) ids.push(id);
        if (ids.length === most) {
          yield await this.#handles(ids);
          ids = [];
          most = Math.min(4 * most, HANDLES);
          await scheduler.pause();
        }
      }
      if (ids.length > 0) yield await this.#handles(ids);
      ids = [];
      await scheduler.pause();
    }
    let group: RegisteredMetric[] = [];
    for (let i = 0; i < pending.length; i++) {
      const { name, tags } = pending[i]!;
      if (compiled.matches(name, tags)) group.push(pending[i]!);
      if (group.length === HANDLES) {
        yield group;
        group = [];
      }
      const pause = scheduler.pause();
      if (pause !== undefined) await pause;
    }
    if (group.length > 0) yield group;
  }

  /** Returns the metrics of a list that exist, in their order, in groups. */
  async *listed(refs: readonly MetricRef[], scheduler: ReadScheduler): AsyncGenerator<readonly RegisteredMetric[]> {
    const { registry } = this.#parts;
    for (let i = 0; i < refs.length; i += HANDLES) {
      this.#parts.assertOpen();
      const found = refs.slice(i, i + HANDLES).map((ref) => registry.find(ref) ?? registry.load(ref));
      // To wait for handles that are in memory takes longer than to find them.
      if (found.every((one): one is RegisteredMetric => !(one instanceof Promise))) yield found;
      else yield (await Promise.all(found)).filter((metric) => metric !== undefined);
      await scheduler.pause();
    }
  }

  async #handles(ids: readonly number[]): Promise<RegisteredMetric[]> {
    this.#parts.assertOpen();
    const metrics = await this.#parts.registry.byIds(ids);
    return metrics.filter((metric) => metric !== undefined);
  }

  /** Returns the sorted values of a tag in matching metrics; for the empty key, their names. */
  async tagValues(tag: string, match: CompiledMatch, scheduler: ReadScheduler): Promise<string[]> {
    const compiled = match.complete === undefined ? match : await match.complete();
    const { registry } = this.#parts;
    const index = scheduler.indexOf(this.#parts.names);
    // Unwritten metrics first, since a round may write them while the index is read.
    const pending = [...registry.pending.values()];
    const values = new Set<string>();
    for (let i = 0; i < pending.length; i++) {
      const { name, tags } = pending[i]!.metric;
      const value = tag === "" ? name : Object.hasOwn(tags, tag) ? tags[tag] : undefined;
      if (value !== undefined && compiled.matches(name, tags)) values.add(value);
      const pause = scheduler.pause();
      if (pause !== undefined) await pause;
    }
    const isAll = compiled.terms.length === 0;
    const within = isAll ? undefined : await matchingIds(index, compiled, registry.next - 1);
    for (const value of await tagValues(index, tag, within)) values.add(value);
    return [...values].sort();
  }
}

/** True if a list of metrics, sorted by id, contains this id. */
function hasId(metrics: readonly RegisteredMetric[], id: number): boolean {
  let low = 0;
  let high = metrics.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (metrics[middle]!.id < id) low = middle + 1;
    else high = middle;
  }
  return metrics[low]?.id === id;
}
