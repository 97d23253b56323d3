/** Stores for tests of selecting: a tag index in memory, ranges in small pieces, counted calls. */
import type { Match } from "@moonpack/series";
import type { TagIndex } from "@moonpack/series/driver";
import { memoryDatabase } from "@moonpack/series-kv";
import { type CompiledMatch, compileMatch } from "../../../series/build/select/match.js";
import { selectIds } from "../../../series/build/select/select-ids.js";
import type { Store } from "../../src/drivers/driver.ts";
import { type IndexedMetric, indexOperations } from "../../src/store/index-operations.ts";

/** The index is in the second column. */
export const INDEX = 1;

/** A store whose ranges come in pieces of at most `piece` entries, and which counts its calls. */
export interface TestStore extends Store {
  readonly calls: { getMany: number; keys: number; range: number; entries: number };
}

export async function openStore(piece = 1000): Promise<TestStore> {
  const store = await memoryDatabase().open(undefined, {
    columns: ["meta", "index"],
    readOnly: false,
    maxCacheBytes: 0,
  });
  const calls = { getMany: 0, keys: 0, range: 0, entries: 0 };
  return {
    calls,
    getMany(column, keys) {
      calls.getMany++;
      calls.keys += keys.length;
      return store.getMany(column, keys);
    },
    batch: (operations, options) => store.batch(operations, options),
    deleteRange: (column, from, to) => store.deleteRange(column, from, to),
    async *range(column, from, to, options) {
      calls.range++;
      for await (const entries of store.range(column, from, to, options)) {
        for (let i = 0; i < entries.length; i += piece) {
          const some = entries.slice(i, i + piece);
          calls.entries += some.length;
          yield some;
        }
      }
    },
    size: (column) => store.size(column),
    close: () => store.close(),
  };
}

/** A match with its regular expressions. */
export async function matchOf(match: Match): Promise<CompiledMatch> {
  const compiled = compileMatch(match);
  return (await compiled.complete?.()) ?? compiled;
}

/** The index of a store, as selections read it. */
export function indexOf(store: Store): TagIndex {
  return {
    get: (keys) => store.getMany(INDEX, keys),
    range: (from, to, keysOnly) => store.range(INDEX, from, to, { keysOnly }),
  };
}

/** Adds metrics to the index, and removes others. */
export async function change(
  store: Store,
  added: readonly IndexedMetric[],
  removed: readonly IndexedMetric[] = [],
): Promise<void> {
  await store.batch(await indexOperations(store, INDEX, added, removed), { sync: false });
}

/** The ids that match, as the index says: ascending, checked to come by ascending chunks that are not empty. */
export async function selected(store: Store, match: Match, maxId: number): Promise<number[]> {
  const all: number[] = [];
  let last = -1;
  for await (const { chunk, ids } of selectIds(indexOf(store), await matchOf(match), maxId)) {
    const list = ids.list();
    if (chunk <= last || list.length === 0) throw new Error(`chunk ${chunk} after ${last} has ${list.length} ids`);
    last = chunk;
    all.push(...list.map((k) => chunk * 4096 + k));
  }
  return all;
}
