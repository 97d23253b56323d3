/** The newest point of a metric, from index pages alone where they say enough. */
import { Values64 } from "../page/values.js";
import type { Block, FoundMetric } from "./block.js";
import { type MemorySource, rankOf } from "./metric-scan.js";
import type { Run } from "./run.js";
import type { Tombstones } from "./tombstones.js";

/** What is looked for: the newest point in a range, in milliseconds, `to` exclusive. */
export interface NewestOf {
  readonly id: number;
  readonly isInt64: boolean;
  readonly from: number;
  readonly to: number;
}

/**
 * The newest point, as a run of one; null if there is none; undefined if only a scan can say. Walks the blocks from the newest on, and
 * stops at the first that cannot have a later point. `sources.blocks`: in any order.
 */
export async function newestPoint(
  of: NewestOf,
  blocks: readonly Block[],
  memory: MemorySource | undefined,
  tombstones: Tombstones,
): Promise<Run | null | undefined> {
  let best: Run | null = memory === undefined ? null : lastOfMemory(memory, of);
  let bestRank = Number.POSITIVE_INFINITY;
  const list = blocks.filter(({ entry }) => entry.from < of.to && entry.to >= of.from);
  list.sort((a, b) => b.entry.to - a.entry.to);
  for (const block of list) {
    const { from, to, generations } = block.entry;
    const time = best === null ? -1 : best.times[0]!;
    if (to < time) break;
    const soon = block.find(of.id, of.isInt64);
    const found = soon instanceof Promise ? await soon : soon;
    if (found === undefined) continue;
    const { page, place } = found;
    const last = page.lastOf(page.starts[place + 1]! - 1);
    const first = page.firstOf(page.starts[place]!);
    if (last < of.from || first >= of.to || last < time) continue;
    if (last >= of.to || tombstones.masks(of.id, generations[1], from, to).length > 0) return undefined;
    const rank = rankOf(block.entry);
    if (last === time && rank < bestRank) continue;
    best = { times: Float64Array.of(last), values: valueOf(found), from: 0, to: 1 };
    bestRank = rank;
  }
  return best;
}

function valueOf({ page, place }: FoundMetric): Values64 {
  const values = new Values64(1);
  values.words.set(page.summaries.last.words.subarray(2 * place, 2 * place + 2));
  return values;
}

function lastOfMemory(memory: MemorySource, { from, to }: NewestOf): Run | null {
  const cursor = memory.cursor({ from, to, reverse: true });
  // Points in memory are at once there.
  void cursor.advance();
  const { run } = cursor;
  if (run === undefined) return null;
  const values = new Values64(1);
  values.words.set(run.values.words.subarray(2 * run.to - 2, 2 * run.to));
  return { times: run.times.slice(run.to - 1, run.to), values, from: 0, to: 1 };
}
