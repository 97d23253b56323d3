/** Reads the points of one metric from one block, chunk by chunk. */
import { Values64 } from "../page/values.js";
import type { Block, FoundMetric, Soon } from "./block.js";
import type { TimeColumn } from "./cached-parts.js";
import { type FileSpan, MAX_READ } from "./file-pages.js";
import { CHUNK_POINTS } from "./format.js";
import { firstAtLeast, type Run, type RunCursor } from "./run.js";
import { applyMasks, type Mask } from "./tombstones.js";

/** Bytes of the first read of a long scan; each further one has four times as many. */
const FIRST_READ = 16 * 1024;

/** The range of a read. Times are milliseconds, `to` exclusive. */
export interface CursorRange {
  readonly from: number;
  readonly to: number;
  readonly reverse: boolean;
}

/** Called with the error for a damaged part. If it returns, the part is skipped. */
export type OnDamage = (error: unknown) => void;

/** A cursor over the chunks of a metric. */
export class ChunkCursor implements RunCursor {
  run: Run | undefined;
  readonly #block: Block;
  readonly #found: FoundMetric;
  readonly #range: CursorRange;
  readonly #masks: readonly Mask[];
  readonly #onDamage: OnDamage;
  readonly #values: Values64;
  /** The next chunk, and the one after the last, in the direction of the range. */
  #next: number;
  readonly #end: number;
  readonly #step: number;
  #span: FileSpan | undefined;
  /** The last chunk that the span has, in the direction of the range. */
  #spanEnd = -1;
  #readBytes = FIRST_READ;

  constructor(
    block: Block,
    found: FoundMetric,
    range: CursorRange,
    masks: readonly Mask[],
    onDamage: OnDamage,
    values = new Values64(CHUNK_POINTS),
  ) {
    this.#block = block;
    this.#found = found;
    this.#range = range;
    this.#masks = masks;
    this.#onDamage = onDamage;
    this.#values = values;
    const { page, place } = found;
    let first = page.starts[place]!;
    let last = page.starts[place + 1]! - 1;
    while (first <= last && page.lastOf(first) < range.from) first++;
    while (last >= first && page.firstOf(last) >= range.to) last--;
    this.#step = range.reverse ? -1 : 1;
    this.#next = range.reverse ? last : first;
    this.#end = range.reverse ? first - 1 : last + 1;
  }

  advance(): Promise<void> | undefined {
    for (;;) {
      this.run = undefined;
      this.#passHidden();
      if (this.#next === this.#end) return undefined;
      const loaded = this.#load();
      if (loaded instanceof Promise) return loaded.then(() => (this.run === undefined ? this.advance() : undefined));
      if (this.run !== undefined) return undefined;
    }
  }

  /** Passes over chunks whose points are all hidden: they need not be read. */
  #passHidden(): void {
    if (this.#masks.length === 0) return;
    const { page } = this.#found;
    for (; this.#next !== this.#end; this.#next += this.#step) {
      const first = page.firstOf(this.#next);
      const last = page.lastOf(this.#next);
      if (!this.#masks.some(({ from, to }) => from <= first && last < to)) return;
    }
  }

  /** Loads the next chunk: at once if all is in memory. The run stays undefined without points in the range. */
  #load(): Soon<void> {
    const { page } = this.#found;
    const chunk = this.#next;
    try {
      const column = this.#block.column(page, page.columnOf[chunk]!);
      const span = this.#spanWith(chunk);
      if (column instanceof Promise || span instanceof Promise) return this.#loadLater(chunk, column, span);
      this.#take(chunk, column, span);
    } catch (error) {
      this.#passOver(error);
    }
  }

  async #loadLater(chunk: number, column: Soon<TimeColumn>, span: Soon<FileSpan>): Promise<void> {
    try {
      const [times, bytes] = await Promise.all([column, span]);
      this.#take(chunk, times, bytes);
    } catch (error) {
      this.#passOver(error);
    }
  }

  #passOver(error: unknown): void {
    this.run = undefined;
    this.#onDamage(error);
    this.#span = undefined;
    this.#next += this.#step;
  }

  #spanWith(chunk: number): Soon<FileSpan> {
    if (this.#span !== undefined && this.#isInSpan(chunk)) return this.#span;
    const { page } = this.#found;
    const { offsets, lengths } = page;
    let last = chunk;
    // Chunks of a metric are adjacent in the file, except for columns between them.
    for (let k = chunk + this.#step; k !== this.#end; k += this.#step) {
      const [low, high] = this.#step > 0 ? [chunk, k] : [k, chunk];
      if (offsets[high]! + lengths[high]! - offsets[low]! > this.#readBytes) break;
      last = k;
    }
    this.#readBytes = Math.min(4 * this.#readBytes, MAX_READ);
    this.#spanEnd = last;
    return this.#block.span(page, Math.min(chunk, last), Math.max(chunk, last));
  }

  #isInSpan(chunk: number): boolean {
    return this.#step > 0 ? chunk <= this.#spanEnd : chunk >= this.#spanEnd;
  }

  #take(chunk: number, column: TimeColumn, span: FileSpan): void {
    this.#span = span;
    const { from, to } = this.#range;
    const n = column.times.length;
    const { times } = column;
    const run: Run = { times, values: this.#values, from: 0, to: n };
    if (times[0]! < from) run.from = firstAtLeast(times, 0, n, from);
    if (times[n - 1]! >= to) run.to = firstAtLeast(times, run.from, n, to);
    this.#block.decode(this.#found, chunk, span, this.#values, run.from, run.to);
    this.#next += this.#step;
    if (this.#masks.length === 0) {
      if (run.from < run.to) this.run = run;
      return;
    }
    // The column is shared, so hidden points are removed from a copy.
    const own = { ...run, times: times.slice() };
    applyMasks(own, this.#masks);
    if (own.from < own.to) this.run = own;
  }
}
