/** Reads a metric from summaries alone: most windows of whole blocks need no points, and then no cursor, no merging and no promise. */
import type { Block, FoundMetric, Soon } from "./block.js";
import type { ScanOf } from "./metric-scan.js";
import type { Run } from "./run.js";
import { type IsOneWindow, type SummedPoints, summedPoints, summedRun } from "./summary-cursor.js";
import type { Tombstones } from "./tombstones.js";

/**
 * Returns a scan of the summaries of a metric; undefined if points are needed, or if an index page is not in memory or damaged. `blocks` are
 * by ascending first time.
 */
export function summaryScan(
  { id, isInt64, from, to }: ScanOf,
  isOneWindow: IsOneWindow,
  blocks: readonly Block[],
  tombstones: Tombstones,
): SummaryScan | undefined {
  let parts: SummedPoints[] | undefined;
  let until = Number.NEGATIVE_INFINITY;
  for (const block of blocks) {
    const { entry } = block;
    if (entry.from >= to || entry.to < from) continue;
    const found = foundNow(block, id, isInt64);
    if (found === null) return undefined;
    if (found === undefined) continue;
    const summed = summedPoints(found, isOneWindow);
    // Late points may lie between other points, or replace them.
    if (summed === undefined || summed.first <= until) return undefined;
    if (tombstones.masks(id, entry.generations[1], summed.first, summed.last).length > 0) return undefined;
    until = summed.last;
    if (parts === undefined) parts = [summed];
    else parts.push(summed);
  }
  return new SummaryScan(parts ?? []);
}

/** Returns the place of a metric in a block; null if it is not known without reading the file. */
function foundNow(block: Block, id: number, isInt64: boolean): FoundMetric | undefined | null {
  let found: Soon<FoundMetric | undefined>;
  try {
    found = block.find(id, isInt64);
  } catch {
    // A scan of the points reports the damage.
    return null;
  }
  if (!(found instanceof Promise)) return found;
  found.catch(() => undefined);
  return null;
}

/** A scan whose runs are summaries. */
export class SummaryScan {
  readonly #parts: readonly SummedPoints[];
  #next = 0;

  constructor(parts: readonly SummedPoints[]) {
    this.#parts = parts;
  }

  /** Returns the next summary; undefined after the last one. */
  next(): Run | undefined {
    const summed = this.#parts[this.#next++];
    return summed && summedRun(summed);
  }
}
