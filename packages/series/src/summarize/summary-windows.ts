/** A kept window of an open store: its blocks, and which windows of a metric must be read from points. */
import type { Block, Soon } from "../blocks/block.js";
import type { OnDamage } from "../blocks/chunk-cursor.js";
import { ROLE_BITS } from "../blocks/format.js";
import { type Masks, type Tombstone, Tombstones } from "../blocks/tombstones.js";
import {
  ceilTo,
  firstKept,
  floorTo,
  hasBlock,
  hasDelete,
  type Span,
  type SummaryRecord,
  windowTombstones,
} from "./record.js";

/** The metric of {@link SummaryWindows.unknown}. */
export interface UnknownOf {
  readonly id: number;
  readonly isInt64: boolean;
  /** The times of its points in memory, ascending. */
  readonly head: Float64Array;
  readonly onDamage: OnDamage;
}

/** The summaries of one record, in the state of one manifest. */
export class SummaryWindows {
  readonly record: SummaryRecord;
  readonly blocks: readonly Block[];
  /** The blocks by descending last time. */
  readonly newestFirst: readonly Block[];
  /** Blocks of points that are not in the summaries. */
  readonly #newer: readonly Block[];
  /** Deletes that are not in the summaries. */
  readonly #deletes: Tombstones;
  readonly #all: readonly Tombstone[];
  readonly #dropped: number;
  #masks: Masks | undefined;

  /** `points`: the blocks of points. `dropped`: blocks with points before this time may be gone. */
  constructor(
    record: SummaryRecord,
    blocks: readonly Block[],
    points: readonly Block[],
    all: readonly Tombstone[],
    dropped: number,
  ) {
    this.record = record;
    this.blocks = blocks;
    this.newestFirst = blocks.toSorted((a, b) => b.entry.to - a.entry.to);
    this.#newer = points.filter(({ entry }) => entry.from < record.until && !hasBlock(record, entry));
    this.#deletes = new Tombstones(all.filter((one) => !hasDelete(record, one)));
    this.#all = all;
    this.#dropped = ceilTo(record.window, dropped);
  }

  get window(): number {
    return this.record.window;
  }

  /** The deletes, for ids of roles. */
  get masks(): Masks {
    return (this.#masks ??= roleMasks(windowTombstones(this.window, this.#all)));
  }

  /** Returns the start of the first window that is still kept. */
  first(now: number): number {
    return firstKept(this.record, now);
  }

  /**
   * Returns the windows of a metric in a range that the summaries do not know, as disjoint ranges by ascending time: those with late points,
   * and those with deleted ones.
   */
  unknown({ id, isInt64, head, onDamage }: UnknownOf, range: Span): Soon<readonly Span[]> {
    if (this.#newer.length === 0 && this.#deletes.all.length === 0 && !(head[0]! < range.to)) return [];
    return this.#unknown({ id, isInt64, head, onDamage }, range);
  }

  async #unknown({ id, isInt64, head, onDamage }: UnknownOf, range: Span): Promise<Span[]> {
    const late = lateSpans(await chunkSpans(this.#newer, id, isInt64, onDamage), head);
    // Where points may be gone, summaries are all that is left.
    const open = late.filter(({ to }) => to > this.#dropped);
    const spans = open.map(({ from, to }) => ({ from: Math.max(from, this.#dropped), to }));
    spans.push(...this.#deletes.masks(id, 0, range.from, range.to));
    return windowSpans(this.window, spans, range);
  }
}

/** Returns the spans of points in memory, and of chunks of blocks. */
function lateSpans(chunks: readonly Span[], head: Float64Array): Span[] {
  return [...chunks, ...Array.from(head, (time) => ({ from: time, to: time + 1 }))];
}

/** Returns the spans of the chunks of a metric. */
export async function chunkSpans(
  blocks: readonly Block[],
  id: number,
  isInt64: boolean,
  onDamage: OnDamage,
): Promise<Span[]> {
  const spans: Span[] = [];
  for (const block of blocks) {
    try {
      const found = await block.find(id, isInt64);
      if (found === undefined) continue;
      const { page, place } = found;
      for (let chunk = page.starts[place]!; chunk < page.starts[place + 1]!; chunk++)
        spans.push({ from: page.firstOf(chunk), to: page.lastOf(chunk) + 1 });
    } catch (error) {
      onDamage(error);
    }
  }
  return spans;
}

/** Returns the windows that overlap spans, within a range of whole windows, as disjoint ranges by ascending time. */
export function windowSpans(window: number, spans: readonly Span[], range: Span): Span[] {
  const whole = spans
    .map(({ from, to }) => ({
      from: Math.max(floorTo(window, from), range.from),
      to: Math.min(ceilTo(window, to), range.to),
    }))
    .filter(({ from, to }) => from < to)
    .sort((a, b) => a.from - b.from);
  const result: { from: number; to: number }[] = [];
  for (const { from, to } of whole) {
    const last = result.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result;
}

/** Returns deletes for ids of roles. */
export function roleMasks(all: readonly Tombstone[]): Masks {
  const tombstones = new Tombstones(all);
  return { masks: (id, generation, from, to) => tombstones.masks(id >>> ROLE_BITS, generation, from, to) };
}
