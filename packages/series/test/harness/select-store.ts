/** Stores for tests of selecting: a tag index in memory, ranges in small pieces, counted calls. */
import type { Match, Matcher } from "../../src/api.ts";
import type { Store } from "../../src/drivers/driver.ts";
import { memory } from "../../src/drivers/memory.ts";
import { type IndexedMetric, indexOperations } from "../../src/select/index-operations.ts";
import { compileMatch } from "../../src/select/match.ts";
import { selectIds } from "../../src/select/select-ids.ts";

/** The index is in the second column. */
export const INDEX = 1;

/** A store whose ranges come in pieces of at most `piece` entries, and which counts its calls. */
export interface TestStore extends Store {
  readonly calls: { getMany: number; keys: number; range: number; entries: number };
}

export async function openStore(piece = 1000): Promise<TestStore> {
  const store = await memory().open(undefined, { columns: ["meta", "index"], readOnly: false, maxCacheBytes: 0 });
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
  for await (const { chunk, ids } of selectIds(store, INDEX, compileMatch(match), maxId)) {
    const list = ids.list();
    if (chunk <= last || list.length === 0) throw new Error(`chunk ${chunk} after ${last} has ${list.length} ids`);
    last = chunk;
    all.push(...list.map((k) => chunk * 4096 + k));
  }
  return all;
}

/** Metrics that match, by the meaning of matchers. */
export function matching(metrics: readonly IndexedMetric[], { name, tags = {} }: Match): IndexedMetric[] {
  return metrics.filter(
    (metric) =>
      (name === undefined || isMatch(metric.name, name)) &&
      Object.entries(tags).every(([tag, matcher]) => {
        const [, value = ""] = Object.entries(metric.tags).find(([key]) => key === tag) ?? [];
        return isMatch(value, matcher);
      }),
  );
}

function isMatch(value: string, matcher: Matcher): boolean {
  if (typeof matcher === "string") return value === matcher;
  if (Array.isArray(matcher)) return matcher.includes(value);
  if (matcher instanceof RegExp) return new RegExp(`^(?:${matcher.source})$`, matcher.flags).test(value);
  if ("not" in matcher) return !isMatch(value, matcher.not);
  const { prefix } = matcher as { prefix: string };
  return value.slice(0, prefix.length) === prefix;
}
