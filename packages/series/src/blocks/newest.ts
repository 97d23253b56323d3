/** Finds the newest point of a metric, from index pages alone if possible. */
import type { Values64 } from "../page/values.js";
import type { Block, FoundMetric, Soon } from "./block.js";
import { type MemorySource, rankOf } from "./metric-scan.js";
import type { Tombstones } from "./tombstones.js";

/** The metric and the range, in milliseconds, `to` exclusive. */
export interface NewestOf {
  readonly id: number;
  readonly isInt64: boolean;
  readonly from: number;
  readonly to: number;
}

/** A point. Its value is `values[at]`. */
export interface Newest {
  /** The time in milliseconds. */
  readonly time: number;
  /** The values, of which one is the point's. */
  readonly values: Values64;
  /** The index of the value. */
  readonly at: number;
  /** Of two points with equal times the one with the greater rank wins. */
  readonly rank: number;
}

/**
 * Returns the newest point: null without points, undefined if a scan is needed. Visits the blocks by descending last time, and stops at
 * the first one that cannot have a later point.
 */
export function newestPoint(
  of: NewestOf,
  blocks: readonly Block[],
  memory: MemorySource | undefined,
  tombstones: Tombstones,
): Soon<Newest | null | undefined> {
  return walk(of, blocks, 0, memory === undefined ? null : newestOfMemory(memory, of), tombstones);
}

function walk(
  of: NewestOf,
  blocks: readonly Block[],
  from: number,
  before: Newest | null,
  tombstones: Tombstones,
): Soon<Newest | null | undefined> {
  let best = before;
  for (let i = from; i < blocks.length; i++) {
    const block = blocks[i]!;
    const { entry } = block;
    if (entry.from >= of.to || entry.to < of.from) continue;
    if (best !== null && entry.to < best.time) break;
    const found = block.find(of.id, of.isInt64);
    if (found instanceof Promise) return found.then(() => walk(of, blocks, i, best, tombstones));
    if (found === undefined) continue;
    const newer = newerIn(of, block, found, best, tombstones);
    if (newer === undefined) return undefined;
    best = newer;
  }
  return best;
}

/** Returns the newest point of a block, or of the blocks before it; undefined if a scan is needed. */
function newerIn(
  of: NewestOf,
  { entry }: Block,
  { page, place }: FoundMetric,
  best: Newest | null,
  tombstones: Tombstones,
): Newest | null | undefined {
  const time = page.lastOf(page.starts[place + 1]! - 1);
  if (time < of.from || page.firstOf(page.starts[place]!) >= of.to) return best;
  const rank = rankOf(entry);
  if (best !== null && (time < best.time || (time === best.time && rank < best.rank))) return best;
  if (time >= of.to || tombstones.masks(of.id, entry.generations[1], entry.from, entry.to).length > 0) return undefined;
  return { time, values: page.summaries.last, at: place, rank };
}

function newestOfMemory(memory: MemorySource, { from, to }: NewestOf): Newest | null {
  const cursor = memory.cursor({ from, to, reverse: true });
  // Points in memory need no promise.
  void cursor.advance();
  const { run } = cursor;
  if (run === undefined) return null;
  return { time: run.times[run.to - 1]!, values: run.values, at: run.to - 1, rank: Number.POSITIVE_INFINITY };
}
