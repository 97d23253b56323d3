/** Finds metrics: those of the index, and those that no round has written to it yet. */
import type { RegisteredMetric } from "../registry/registered-metric.js";
import type { Registry } from "../registry/registry.js";
import type { IndexSource } from "../select/index-source.js";
import type { CompiledMatch } from "../select/match.js";
import { matchingIds, selectIds } from "../select/select-ids.js";
import { tagValues } from "../select/tag-values.js";
import { INDEX } from "../store/columns.js";
import type { ReadTurns } from "./turns.js";

/** Metrics whose handles are read together. */
const HANDLES = 256;

/** What is needed to find metrics. */
export interface MetricReaderParts {
  readonly store: IndexSource;
  readonly registry: Registry;
  /** Throws if the store is closed. */
  assertOpen(): void;
}

/** Reads metrics of a store. */
export class MetricReader {
  readonly #parts: MetricReaderParts;

  constructor(parts: MetricReaderParts) {
    this.#parts = parts;
  }

  /** The metrics that match, by ascending id. */
  async *matching(compiled: CompiledMatch, turns: ReadTurns): AsyncGenerator<RegisteredMetric> {
    for await (const group of this.groups(compiled, turns)) yield* group;
  }

  /** As {@link matching}, some at a time. */
  async *groups(compiled: CompiledMatch, turns: ReadTurns): AsyncGenerator<readonly RegisteredMetric[]> {
    this.#parts.assertOpen();
    const { store, registry } = this.#parts;
    // Metrics that no round has written yet are in no index. Their ids are greater than all others.
    const pending = [...registry.pending.values()].map(({ metric }) => metric);
    const firstPending = pending[0]?.id ?? Number.POSITIVE_INFINITY;
    const isPending = (id: number) => id >= firstPending && hasId(pending, id);
    let ids: number[] = [];
    for await (const { chunk, ids: inChunk } of selectIds(turns.sourceOf(store), INDEX, compiled, registry.next - 1)) {
      for (const k of inChunk.list()) {
        const id = chunk * 4096 + k;
        if (!isPending(id)) ids.push(id);
        if (ids.length === HANDLES) {
          yield await this.#handles(ids);
          ids = [];
          await turns.pause();
        }
      }
      if (ids.length > 0) yield await this.#handles(ids);
      ids = [];
      await turns.pause();
    }
    let group: RegisteredMetric[] = [];
    for (let i = 0; i < pending.length; i++) {
      const { name, tags } = pending[i]!;
      if (compiled.matches(name, tags)) group.push(pending[i]!);
      if (group.length === HANDLES) {
        yield group;
        group = [];
      }
      if (i % HANDLES === 0) await turns.pause();
    }
    if (group.length > 0) yield group;
  }

  async #handles(ids: readonly number[]): Promise<RegisteredMetric[]> {
    this.#parts.assertOpen();
    const metrics = await this.#parts.registry.byIds(ids);
    return metrics.filter((metric) => metric !== undefined);
  }

  /** The values that metrics which match have for a tag, sorted. */
  async tagValues(tag: string, compiled: CompiledMatch, turns: ReadTurns): Promise<string[]> {
    const { registry } = this.#parts;
    const store = turns.sourceOf(this.#parts.store);
    // Metrics that no round has written yet: taken first, since a round may write them while the index is read.
    const pending = [...registry.pending.values()];
    const values = new Set<string>();
    for (let i = 0; i < pending.length; i++) {
      const { name, tags } = pending[i]!.metric;
      if (Object.hasOwn(tags, tag) && compiled.matches(name, tags)) values.add(tags[tag]!);
      if (i % HANDLES === 0) await turns.pause();
    }
    const isAll = compiled.terms.length === 0;
    const within = isAll ? undefined : await matchingIds(store, INDEX, compiled, registry.next - 1);
    for (const value of await tagValues(store, INDEX, tag, within)) values.add(value);
    return [...values].sort();
  }
}

/** True if one of metrics, which come by ascending id, has this id. */
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
