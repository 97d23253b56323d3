/** Computes the changes of the tag index when metrics are added and removed. */

import type { MetricHandle } from "@moonpack/series";
import { ChunkIds, chunkOf, entryIds, IndexKeys } from "@moonpack/series/driver";
import type { Operation, Store } from "../drivers/driver.js";

/** A metric in the index. */
export type IndexedMetric = Pick<MetricHandle, "id" | "name" | "tags">;

/** Maximum ids of a list: more ids are a bitmap. */
const MAX_LIST = 255;

/**
 * Returns the operations that add metrics to the index and remove others. The changing entries are read in one call; they must not change
 * until the operations are applied. For an id in both lists the addition counts. Throws `ERR_SERIES_CORRUPT` for a damaged entry.
 */
export async function indexOperations(
  store: Store,
  column: number,
  added: readonly IndexedMetric[],
  removed: readonly IndexedMetric[] = [],
): Promise<Operation[]> {
  const changes = new Changes();
  for (const metric of removed) changes.add(metric, true);
  for (const metric of added) changes.add(metric, false);
  const keys = changes.keys();
  const values = await store.getMany(column, keys);
  const operations: Operation[] = [];
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    const before = values[i];
    const value = changedValue(key, before, changes.list[i]!);
    if (value !== undefined || before !== undefined) operations.push({ column, key, value });
  }
  return operations;
}

/** The changes of one entry. */
interface Change {
  readonly tag: string;
  readonly value: string;
  readonly chunk: number;
  /** Undefined if empty, like {@link removed}: most changes are additions. */
  added: number[] | undefined;
  removed: number[] | undefined;
}

/** Returns changes by chunk, tag and value. */
class Changes {
  readonly list: Change[] = [];
  readonly #chunks = new Map<number, Map<string, Map<string, Change>>>();

  add({ id, name, tags }: IndexedMetric, isRemoved: boolean): void {
    const chunk = chunkOf(id);
    let byTag = this.#chunks.get(chunk);
    if (byTag === undefined) this.#chunks.set(chunk, (byTag = new Map()));
    this.#addTag(byTag, chunk, "", name, id, isRemoved);
    for (const tag of Object.keys(tags)) {
      const value = tags[tag]!;
      // An empty value means that the metric does not have the tag.
      if (value !== "") this.#addTag(byTag, chunk, tag, value, id, isRemoved);
    }
  }

  #addTag(
    byTag: Map<string, Map<string, Change>>,
    chunk: number,
    tag: string,
    value: string,
    id: number,
    isRemoved: boolean,
  ): void {
    let byValue = byTag.get(tag);
    if (byValue === undefined) byTag.set(tag, (byValue = new Map()));
    let change = byValue.get(value);
    if (change === undefined) {
      change = { tag, value, chunk, added: undefined, removed: undefined };
      byValue.set(value, change);
      this.list.push(change);
    }
    const ids = isRemoved ? change.removed : change.added;
    if (ids !== undefined) ids.push(id);
    else if (isRemoved) change.removed = [id];
    else change.added = [id];
  }

  keys(): Uint8Array[] {
    const keys = new IndexKeys();
    return this.list.map(({ tag, value, chunk }) => keys.entry(tag, value, chunk));
  }
}

/** Returns the new value of an entry; undefined if no ids are left. */
function changedValue(
  key: Uint8Array,
  before: Uint8Array | undefined,
  { added = [], removed = [] }: Change,
): Uint8Array | undefined {
  if (before === undefined && added.length > 0 && isList(added)) return listOf(added);
  const ids = before === undefined ? new ChunkIds() : entryIds(key, before);
  for (const id of removed) ids.delete(id);
  for (const id of added) ids.add(id);
  return ids.value();
}

/** True for ascending ids that fit into a list: the usual case in new entries. */
function isList(ids: readonly number[]): boolean {
  for (let i = 1; i < ids.length; i++) if (ids[i]! <= ids[i - 1]!) return false;
  return ids.length <= MAX_LIST;
}

function listOf(ids: readonly number[]): Uint8Array {
  const value = new Uint8Array(2 * ids.length);
  for (let i = 0; i < ids.length; i++) {
    value[2 * i] = ids[i]!;
    // Compares the 12 bits within the chunk.
    value[2 * i + 1] = (ids[i]! >> 8) & 15;
  }
  return value;
}
