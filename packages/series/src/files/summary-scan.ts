/**
 * Reads a metric for the windows of a query: from kept summaries where they know its windows, from shorter ones and from points elsewhere.
 */
import type { OnDamage } from "../blocks/chunk-cursor.js";
import type { Run } from "../blocks/run.js";
import type { IsOneWindow } from "../blocks/summary-cursor.js";
import type { ReadScheduler } from "../read/read-scheduler.js";
import type { PointScan } from "../read/sealed-store.js";
import type { TimeRange } from "../read/time-range.js";
import { ceilTo, floorTo } from "../summarize/record.js";
import type { SummaryNeed } from "../summarize/summary-need.js";
import type { SummaryWindows } from "../summarize/summary-windows.js";
import { type RoleMemory, RoleScan } from "./role-scan.js";

/** The metric and the range of a scan. */
export interface SummaryScanOf extends TimeRange {
  readonly id: number;
  readonly isInt64: boolean;
  readonly need: SummaryNeed;
  readonly isOneWindow: IsOneWindow;
  /** Points before this time are beyond retention. */
  readonly visible: number;
  readonly now: number;
}

/** The sources of a scan. */
export interface SummarySources {
  /** At least one. */
  readonly layers: readonly SummaryWindows[];
  /** The times of the metric's points in memory, ascending. */
  readonly head: Float64Array;
  readonly memory: RoleMemory;
  readonly onDamage: OnDamage;
  readonly scheduler: ReadScheduler;
  /** Returns a scan of points. */
  points(range: TimeRange, isOneWindow: IsOneWindow): PointScan;
}

/** A part of a scan, from a kept window or from points. */
interface Part extends TimeRange {
  readonly windows: SummaryWindows | undefined;
}

/** See above. */
export class SummaryWindowScan implements PointScan {
  readonly #of: SummaryScanOf;
  readonly #sources: SummarySources;
  /** Points from here on are there, even if they are beyond retention: they are kept until a summary has them. */
  readonly #there: number;
  #parts: Part[] | undefined;
  #next = 0;
  #scan: PointScan | undefined;

  constructor(of: SummaryScanOf, sources: SummarySources) {
    this.#of = of;
    this.#sources = sources;
    this.#there = Math.min(...sources.layers.map((layer) => layer.first(of.now)));
  }

  async next(): Promise<Run | undefined> {
    const parts = (this.#parts ??= await this.#plan());
    for (;;) {
      if (this.#scan === undefined) {
        const part = parts[this.#next++];
        if (part === undefined) return undefined;
        this.#scan = this.#open(part);
      }
      const run = await this.#scan.next();
      if (run !== undefined) return run;
      this.#scan = undefined;
    }
  }

  #open({ from, to, windows }: Part): PointScan {
    const { id, isInt64, need, isOneWindow } = this.#of;
    const { memory, onDamage, scheduler } = this.#sources;
    if (windows !== undefined)
      return new RoleScan({ id, isInt64, from, to, roles: need.roles }, windows, { memory, onDamage, scheduler });
    // The summary of a block must not have points of other parts.
    return this.#sources.points({ from, to }, (first, last) => first >= from && last < to && isOneWindow(first, last));
  }

  async #plan(): Promise<Part[]> {
    const parts: Part[] = [];
    const { from, to, need } = this.#of;
    const start = from === need.from && this.#isCut(from, from) ? need.grid.endOf(need.grid.startOf(from)) : from;
    const shortest = this.#sources.layers.at(-1)!.window;
    const end = to === need.to && this.#isCut(to, floorTo(shortest, to)) ? need.grid.startOf(to) : to;
    await this.#add(parts, start, end, 0);
    return parts;
  }

  /**
   * True if an end of the query is in the middle of a window that has only a summary. The window of the query around it is then left out: its
   * values cannot be computed. `from`: the first point that would be needed.
   */
  #isCut(end: number, from: number): boolean {
    const { visible, now } = this.#of;
    if (from >= visible || end <= this.#there) return false;
    const isExact = ({ window, record }: SummaryWindows) =>
      end % window === 0 || (record.isOpen && floorTo(window, end) >= record.until);
    return !this.#sources.layers.some((layer) => end > layer.first(now) && isExact(layer));
  }

  /** Adds the parts of a range, with the summaries from number `k` on. */
  async #add(parts: Part[], from: number, to: number, k: number): Promise<void> {
    if (from >= to) return;
    const windows = this.#sources.layers[k];
    if (windows === undefined) return this.#addPoints(parts, from, to);
    const { window, record } = windows;
    const first = Math.max(ceilTo(window, from), windows.first(this.#of.now));
    const end = Math.min(floorTo(window, to), record.until);
    if (first >= end) return await this.#add(parts, from, to, k + 1);
    await this.#add(parts, from, first, k + 1);
    const { id, isInt64 } = this.#of;
    const { head, onDamage } = this.#sources;
    let at = first;
    for (const gap of await windows.unknown({ id, isInt64, head, onDamage }, { from: first, to: end })) {
      if (gap.from > at) parts.push({ from: at, to: gap.from, windows });
      await this.#add(parts, gap.from, gap.to, k + 1);
      at = gap.to;
    }
    if (at < end) parts.push({ from: at, to: end, windows });
    await this.#add(parts, end, to, k + 1);
  }

  #addPoints(parts: Part[], from: number, to: number): void {
    const start = Math.max(from, Math.min(this.#of.visible, this.#there));
    if (start < to) parts.push({ from: start, to, windows: undefined });
  }
}
