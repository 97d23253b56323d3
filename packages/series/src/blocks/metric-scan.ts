/**
 * Reads the points of one metric from several blocks and the head. Sources that overlap are merged, the others are read in order. Of points
 * with equal times the one of the later round of sealing wins, and the head wins over all blocks.
 */
import type { Values64 } from "../page/values.js";
import type { Block, FoundMetric, Soon } from "./block.js";
import { ChunkCursor, type CursorRange, type OnDamage } from "./chunk-cursor.js";
import type { BlockFacts } from "./footer.js";
import { firstAtLeast, OneRun, type Run, type RunCursor, RunMerger } from "./run.js";
import { type IsOneWindow, summedPoints, summedRun } from "./summary-cursor.js";
import type { Masks } from "./tombstones.js";

/** Points that are not in a block: the head's points. Times are milliseconds, both inclusive. */
export interface MemorySource {
  readonly from: number;
  readonly to: number;
  cursor(range: CursorRange): RunCursor;
}

/** A scan: a metric in a range. */
export interface ScanOf extends CursorRange {
  readonly id: number;
  readonly isInt64: boolean;
  /** Returns true for ranges whose summaries are sufficient. */
  readonly isOneWindow?: IsOneWindow | undefined;
  /** True if only numbers are wanted: blocks whose values of the metric are all NaN may be left out. */
  readonly numbersOnly?: boolean | undefined;
}

/** The sources of a scan. */
export interface ScanSources {
  /** The blocks that overlap the range, in any order. */
  readonly blocks: readonly Block[];
  readonly memory: MemorySource | undefined;
  readonly tombstones: Masks;
  readonly onDamage: OnDamage;
  /** Memory for the values of a chunk, used by this scan only. */
  readonly values?: Values64;
}

/** A block, or the head. */
interface Source {
  readonly from: number;
  readonly to: number;
  /** Of points with equal times the one of the source with the greater rank wins. */
  readonly rank: number;
  readonly block: Block | undefined;
  /** The place of the metric in the block, if it is known. The times are then the metric's. */
  readonly found: FoundMetric | undefined;
}

/** Late points win over points of regular blocks, which do not overlap. Of late points the later round wins. */
export function rankOf({ isWide, generations }: BlockFacts): number {
  return isWide ? generations[0] : -1;
}

/** A scan of one metric. */
export class MetricScan {
  readonly #of: ScanOf;
  readonly #sources: ScanSources;
  /** Sources that are not open yet, in reverse order of the scan. */
  readonly #waiting: Source[];
  /** Open sources that overlap, the oldest round first. */
  #cursors: RunCursor[] = [];
  /** The cursors whose points the last call has returned. */
  #taken: RunCursor[] = [];
  readonly #merger = new RunMerger();

  constructor(of: ScanOf, sources: ScanSources) {
    this.#of = of;
    this.#sources = sources;
    const { memory } = sources;
    const list: Source[] = [];
    for (const block of sources.blocks) {
      const { from, to } = block.entry;
      if (from < of.to && to >= of.from) list.push({ from, to, rank: rankOf(block.entry), block, found: undefined });
    }
    if (memory !== undefined)
      list.push({
        from: memory.from,
        to: memory.to,
        rank: Number.POSITIVE_INFINITY,
        block: undefined,
        found: undefined,
      });
    if (list.length > 1) list.sort(of.reverse ? (a, b) => a.to - b.to : (a, b) => b.from - a.from);
    this.#waiting = list;
  }

  /** Returns the next points, valid until the next call; undefined after the last ones. */
  next(): Run | undefined | Promise<Run | undefined> {
    for (;;) {
      const pending = this.#advanceTaken();
      if (pending !== undefined) return pending.then(() => this.next());
      if (this.#cursors.length > 0) return this.#slice();
      if (this.#waiting.length === 0) return undefined;
      const opening = this.#openCluster();
      if (opening !== undefined) return opening.then(() => this.next());
    }
  }

  /** Advances the cursors whose run is used up, and removes finished cursors. */
  #advanceTaken(): Promise<void> | undefined {
    const waits: Promise<void>[] = [];
    for (const cursor of this.#taken) {
      const { run } = cursor;
      if (run !== undefined && run.from < run.to) continue;
      const wait = cursor.advance();
      if (wait !== undefined) waits.push(wait);
    }
    if (waits.length > 0) return Promise.all(waits).then(() => this.#forgetEnded());
    if (this.#taken.length > 0) this.#forgetEnded();
    return undefined;
  }

  #forgetEnded(): void {
    if (this.#taken.some(({ run }) => run === undefined))
      this.#cursors = this.#cursors.filter(({ run }) => run !== undefined);
    this.#taken = [];
  }

  /** Opens the next source, and all sources that overlap it. */
  #openCluster(): Promise<void> | undefined {
    const waiting = this.#waiting;
    const cluster = [waiting.pop()!];
    let { from, to } = cluster[0]!;
    for (let next = waiting.at(-1); next !== undefined && next.from <= to && next.to >= from; next = waiting.at(-1)) {
      cluster.push(waiting.pop()!);
      from = Math.min(from, next.from);
      to = Math.max(to, next.to);
    }
    if (cluster.some(({ block, found }) => block !== undefined && found === undefined)) return this.#locate(cluster);
    if (cluster.length > 1) cluster.sort((a, b) => a.rank - b.rank);
    this.#start(cluster.map((source) => this.#open(source, cluster.length === 1)));
    return undefined;
  }

  /** Opens cursors. The next call advances them to their first run. */
  #start(cursors: readonly (RunCursor | undefined)[]): void {
    this.#cursors = cursors.filter((cursor) => cursor !== undefined);
    this.#taken = this.#cursors;
  }

  /**
   * Finds the metric in the blocks of a cluster. The sources wait again, with the times of the metric: blocks overlap more often than the
   * points of one metric do.
   */
  #locate(cluster: readonly Source[]): Promise<void> | undefined {
    const located: Soon<Source | undefined>[] = [];
    let isPending = false;
    for (const source of cluster) {
      const one = this.#located(source);
      isPending ||= one instanceof Promise;
      located.push(one);
    }
    if (!isPending) {
      this.#wait(located as (Source | undefined)[]);
      return undefined;
    }
    return Promise.all(located).then((sources) => this.#wait(sources));
  }

  /** Adds sources that precede all others in the direction of the scan. A single one is opened at once: no other source overlaps it. */
  #wait(sources: readonly (Source | undefined)[]): void {
    const waiting = this.#waiting;
    if (sources.length === 1) {
      if (sources[0] !== undefined) this.#start([this.#open(sources[0], true)]);
      return;
    }
    const some = sources.filter((source) => source !== undefined);
    some.sort(this.#of.reverse ? (a, b) => a.to - b.to : (a, b) => b.from - a.from);
    waiting.push(...some);
  }

  /** Returns a source with the place and the times of the metric; undefined without its points. */
  #located(source: Source): Soon<Source | undefined> {
    const { block } = source;
    if (block === undefined || source.found !== undefined) return source;
    let found: Soon<FoundMetric | undefined>;
    try {
      found = block.find(this.#of.id, this.#of.isInt64);
    } catch (error) {
      this.#sources.onDamage(error);
      return undefined;
    }
    if (!(found instanceof Promise)) return this.#narrowed(source, found);
    return found.then(
      (place) => this.#narrowed(source, place),
      (error: unknown) => {
        this.#sources.onDamage(error);
        return undefined;
      },
    );
  }

  #narrowed(source: Source, found: FoundMetric | undefined): Source | undefined {
    if (found === undefined) return undefined;
    const { page, place } = found;
    const from = page.firstOf(page.starts[place]!);
    const to = page.lastOf(page.starts[place + 1]! - 1);
    return from < this.#of.to && to >= this.#of.from
      ? { from, to, rank: source.rank, block: source.block, found }
      : undefined;
  }

  #open({ block, found, from, to }: Source, isAlone: boolean): RunCursor | undefined {
    if (block === undefined || found === undefined) return this.#sources.memory!.cursor(this.#of);
    if (this.#isLeftOut(block, found, isAlone)) return undefined;
    const { tombstones, onDamage, values } = this.#sources;
    const masks = tombstones.masks(this.#of.id, block.entry.generations[1], from, to);
    const { isOneWindow } = this.#of;
    const summed =
      isAlone && isOneWindow !== undefined && masks.length === 0 ? summedPoints(found, isOneWindow) : undefined;
    if (summed !== undefined) return new OneRun(summedRun(summed));
    return new ChunkCursor(block, found, this.#of, masks, onDamage, isAlone ? values : undefined);
  }

  /** True for a block of NaN alone, if only numbers are wanted. Late points are not left out where they hide others. */
  #isLeftOut({ entry }: Block, { page, place }: FoundMetric, isAlone: boolean): boolean {
    if (this.#of.numbersOnly !== true || page.isInt64 || (entry.isWide && !isAlone)) return false;
    return Number.isNaN(page.summaries.min.floats[place]);
  }

  /** Returns the points up to the end of the run that ends first: later points may have to be merged with further runs. */
  #slice(): Run {
    const cursors = this.#cursors;
    if (cursors.length === 1) return this.#all(cursors[0]!);
    const { reverse } = this.#of;
    let border = reverse ? 0 : Number.POSITIVE_INFINITY;
    for (const { run } of cursors) {
      const { times, from, to } = run!;
      border = reverse ? Math.max(border, times[from]!) : Math.min(border, times[to - 1]!);
    }
    const parts: Run[] = [];
    this.#taken = [];
    for (const cursor of cursors) {
      const part = take(cursor.run!, border, reverse);
      if (part === undefined) continue;
      parts.push(part);
      this.#taken.push(cursor);
    }
    return parts.length === 1 ? parts[0]! : this.#merger.merge(parts);
  }

  #all(cursor: RunCursor): Run {
    const run = cursor.run!;
    const all = { ...run };
    run.from = run.to;
    this.#taken = this.#cursors;
    return all;
  }
}

/** Removes the points up to a time, with `reverse` from that time on, from a run, and returns them; undefined without points. */
function take(run: Run, border: number, reverse: boolean): Run | undefined {
  const { times, from, to } = run;
  const at = firstAtLeast(times, from, to, reverse ? border : border + 1);
  const part: Run = reverse ? { ...run, from: at } : { ...run, to: at };
  if (part.from === part.to) return undefined;
  if (reverse) run.to = at;
  else run.from = at;
  return part;
}
