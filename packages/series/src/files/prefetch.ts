/** Reads the data for scans of several metrics with few calls of the file system: neighbouring metrics are adjacent in a block. */
import type { Block, Soon } from "../blocks/block.js";
import type { IndexPage } from "../blocks/index-page.js";
import type { IsOneWindow } from "../blocks/summary-cursor.js";
import type { TimeRange } from "../read/time-range.js";
import type { RegisteredMetric } from "../registry/registered-metric.js";

/** Limits of reading ahead: bytes, and share of the cache. */
const MAX_BYTES = 4 * 2 ** 20;
const SHARE = 0.25;
/** Two parts are read by one call if the gap between them is at most this many bytes. */
const MAX_GAP = 32 * 1024;
/** Maximum number of blocks. */
const MAX_BLOCKS = 64;

/** The read that follows. */
export interface PrefetchOf extends TimeRange {
  /** Returns true for ranges whose summaries are sufficient: their points are not read. */
  readonly isOneWindow: IsOneWindow | undefined;
  readonly maxCacheBytes: number;
}

/** A metric, or a role of one in blocks of summaries. */
type PrefetchedMetric = Pick<RegisteredMetric, "id" | "type">;

/** A part of a block that is needed. */
interface Part {
  readonly page: IndexPage;
  readonly first: number;
  readonly last: number;
  readonly start: number;
  readonly end: number;
}

/** Reads ahead if the data is small. Errors are ignored: the scans report them. Returns undefined if there is nothing to read. */
export function prefetchMetrics(
  blocks: readonly Block[],
  metrics: readonly PrefetchedMetric[],
  of: PrefetchOf,
): Promise<void> | undefined {
  const some = blocks.filter(({ entry }) => entry.from < of.to && entry.to >= of.from);
  if (some.length === 0 || some.length > MAX_BLOCKS || metrics.length < 2) return undefined;
  return prefetch(some, metrics, of, Math.min(MAX_BYTES, SHARE * of.maxCacheBytes)).catch(() => undefined);
}

async function prefetch(
  blocks: readonly Block[],
  metrics: readonly PrefetchedMetric[],
  range: PrefetchOf,
  maxBytes: number,
): Promise<void> {
  const needed = await Promise.all(blocks.map((block) => partsOf(block, metrics, range)));
  const bytes = needed.flat().reduce((sum, { start, end }) => sum + end - start, 0);
  if (bytes > maxBytes) return;
  await Promise.all(blocks.map((block, i) => readParts(block, needed[i]!)));
}

/** Adds the chunks of each metric that overlap the range. Reads the index pages of the metrics. */
async function partsOf(block: Block, metrics: readonly PrefetchedMetric[], range: PrefetchOf): Promise<Part[]> {
  const parts: Part[] = [];
  const isSummed = range.isOneWindow?.(block.entry.from, block.entry.to) === true;
  let lastPage: IndexPage | undefined;
  for (const { id, type } of metrics) {
    // The summaries of a page that is read are enough for all its metrics.
    if (isSummed && lastPage?.isInt64 === (type === "int64") && id >= lastPage.ids[0]! && id <= lastPage.ids.at(-1)!)
      continue;
    const soon = block.find(id, type === "int64");
    const found = soon instanceof Promise ? await soon : soon;
    if (found === undefined) continue;
    const { page, place } = found;
    lastPage = page;
    let first = page.starts[place]!;
    let last = page.starts[place + 1]! - 1;
    while (first <= last && page.lastOf(first) < range.from) first++;
    while (last >= first && page.firstOf(last) >= range.to) last--;
    if (first > last || range.isOneWindow?.(page.firstOf(first), page.lastOf(last))) continue;
    parts.push({ page, first, last, start: page.offsets[first]!, end: page.offsets[last]! + page.lengths[last]! });
  }
  return parts.sort((a, b) => a.start - b.start);
}

async function readParts(block: Block, parts: readonly Part[]): Promise<void> {
  const waits: Soon<unknown>[] = [];
  for (let i = 0; i < parts.length; ) {
    const begin = parts[i]!;
    let end = begin;
    const columns = new Set<number>();
    for (; i < parts.length && parts[i]!.page === begin.page && parts[i]!.start - end.end <= MAX_GAP; i++) {
      end = parts[i]!;
      for (let chunk = end.first; chunk <= end.last; chunk++) columns.add(end.page.columnOf[chunk]!);
    }
    waits.push(block.span(begin.page, begin.first, end.last));
    for (const column of columns) waits.push(block.column(begin.page, column));
  }
  await Promise.all(waits);
}
