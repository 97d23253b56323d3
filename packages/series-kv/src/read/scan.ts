/**
 * Reads the points of one metric from hour pages, minute pages and the head, hour by hour (docs/series-format.md, section 4). Of equal
 * times the head wins, then the minute page.
 *
 * Points that move during the read are not missed: the head is copied first, minute pages are read before hour pages, and points are
 * written to their new place before, or together with, their removal from the old one.
 */

import {
  type Head,
  mergePoints,
  PagePoints,
  type ReadScheduler,
  removePoints,
  SLOTS,
  type TimeRange,
} from "@moonpack/series/driver";
import { HOUR_SLOTS } from "../page/page.js";
import { pageKey } from "../page/page-key.js";
import type { PendingDelete, PendingDeletes } from "../seal/deletes.js";
import { HOURS, MINUTES } from "../store/columns.js";
import type { PageIndex } from "../store/page-index.js";
import type { StoredPages } from "../store/pages.js";
import { HeadCopy } from "./head-copy.js";
import { HourPlan } from "./hour-plan.js";
import type { PageFetcher } from "./page-fetcher.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Number of keys in the first step of a scan, and in later steps. */
const FIRST_KEYS = 8;
const MAX_KEYS = 128;

/** The request of a scan: a metric, a range of time, a direction. */
export interface ScanRequest extends TimeRange {
  readonly id: number;
  readonly reverse: boolean;
  readonly scheduler: ReadScheduler;
}

/** The sources of scans. */
export interface ScanSource {
  readonly head: Head;
  readonly index: PageIndex;
  readonly deletes: PendingDeletes;
  readonly pages: StoredPages;
  readonly minutes: PageFetcher;
  readonly hours: PageFetcher;
}

/** The pages of one hour: the hour page and the minute pages. */
export interface HourPages {
  readonly hour: number;
  readonly minuteKeys: Uint8Array[];
  minutePages: readonly (Uint8Array | undefined)[];
  hourKey: Uint8Array | undefined;
  hourPage: Uint8Array | undefined;
}

/** The reused memory of a scan. */
export class ScanMemory {
  /** The Unix times of the points of an hour. */
  times = new Float64Array(64);
  readonly points = new PagePoints();
  readonly scratch = new PagePoints();
  readonly hour = new PagePoints();
}

/** A scan, in steps of several hours. */
export class Scan {
  readonly #source: ScanSource;
  readonly #request: ScanRequest;
  readonly #memory: ScanMemory;
  readonly #copy: HeadCopy;
  readonly #deletes: readonly PendingDelete[];
  readonly #group: number;
  readonly #plan: HourPlan;
  #keys = FIRST_KEYS;
  #next: Promise<HourPages[]> | undefined;

  /** Copies the head: points written later may be missing, earlier points are not. */
  constructor(source: ScanSource, request: ScanRequest, memory: ScanMemory) {
    this.#source = source;
    this.#request = request;
    this.#memory = memory;
    this.#group = Math.floor(request.id / SLOTS);
    this.#copy = new HeadCopy(source.head, request.id, request, memory.points, memory.scratch);
    this.#deletes = source.deletes.of(request.id);
    this.#plan = new HourPlan(source.index, this.#copy, request, request.reverse);
    this.#next = this.#start();
  }

  /** True after the last step. */
  get isOver(): boolean {
    return this.#next === undefined;
  }

  /** Returns the next hours, in the direction of the request; an empty list after the last. Pass each hour to {@link unite}. */
  async step(): Promise<readonly HourPages[]> {
    if (this.#next === undefined) return [];
    const step = await this.#next;
    const pause = this.#request.scheduler.pause();
    if (pause !== undefined) await pause;
    // Prefetches the next step while this one is used.
    this.#keys = Math.min(2 * this.#keys, MAX_KEYS);
    this.#next = this.#start();
    return step;
  }

  /** Starts to read the next step; undefined after the last. */
  #start(): Promise<HourPages[]> | undefined {
    const step = this.#take();
    if (step.length === 0) return undefined;
    const fetched = this.#fetch(step);
    // Its rejection is handled when the step is awaited. If the loop has ended before, it is ignored.
    fetched.catch(() => undefined);
    return fetched;
  }

  /** Returns the hours of a step, with about `count` keys. */
  #take(): HourPages[] {
    const { from, to } = this.#request;
    const { index } = this.#source;
    const step: HourPages[] = [];
    for (let keys = 0; keys < this.#keys; ) {
      const hour = this.#plan.next();
      if (hour < 0) break;
      const minuteKeys: Uint8Array[] = [];
      if (index.mayHaveMinutes(hour, this.#group)) {
        const first = Math.max(Math.floor(from / MINUTE), hour * 60);
        const last = Math.min(Math.ceil(to / MINUTE) - 1, hour * 60 + 59);
        for (let minute = first; minute <= last; minute++) minuteKeys.push(pageKey(minute, this.#group));
      }
      step.push({ hour, minuteKeys, minutePages: NO_PAGES, hourKey: undefined, hourPage: undefined });
      keys += minuteKeys.length + 1;
    }
    return step;
  }

  async #fetch(step: HourPages[]): Promise<HourPages[]> {
    const { minutes, hours, index } = this.#source;
    const minuteKeys = step.length === 1 ? step[0]!.minuteKeys : step.flatMap((one) => one.minuteKeys);
    if (minuteKeys.length > 0) {
      const pages = await minutes.get(minuteKeys);
      let at = 0;
      if (step.length === 1) step[0]!.minutePages = pages;
      else for (const one of step) one.minutePages = pages.slice(at, (at += one.minuteKeys.length));
    }
    // Checked after the read of the minutes: during it, an hour may have been rolled up.
    const hourKeys: Uint8Array[] = [];
    for (const one of step) {
      if (one.hour > index.lastHour) continue;
      one.hourKey = pageKey(one.hour * 60, Math.floor(this.#request.id / HOUR_SLOTS));
      hourKeys.push(one.hourKey);
    }
    if (hourKeys.length === 0) return step;
    const pages = await hours.get(hourKeys);
    let at = 0;
    for (const one of step) if (one.hourKey !== undefined) one.hourPage = pages[at++];
    return step;
  }

  /** Returns the points of an hour, ascending, with times from its start. The next call reuses their memory. */
  unite({ hour, minuteKeys, minutePages, hourKey, hourPage }: HourPages): PagePoints {
    const { pages } = this.#source;
    const { id } = this.#request;
    const { hour: target, scratch, points: read } = this.#memory;
    target.length = 0;
    if (hourPage !== undefined)
      pages.read(HOURS, hourKey!, hourPage, 1 << (id & (HOUR_SLOTS - 1)), read, (_, points) =>
        mergePoints(target, points, 0, scratch),
      );
    for (let i = 0; i < minutePages.length; i++) {
      const page = minutePages[i];
      if (page === undefined) continue;
      const key = minuteKeys[i]!;
      const offset = ((key[6]! * 256 + key[7]!) % 60) * MINUTE;
      pages.read(MINUTES, key, page, 1 << (id & (SLOTS - 1)), read, (_, points) =>
        mergePoints(target, points, offset, scratch),
      );
    }
    const start = hour * HOUR;
    const { from, to } = this.#request;
    if (from > start) removePoints(target, Number.NEGATIVE_INFINITY, from - start);
    if (to < start + HOUR) removePoints(target, to - start, Number.POSITIVE_INFINITY);
    for (const one of this.#deletes) removePoints(target, one.from - start, one.to - start);
    const inHead = this.#copy.of(hour);
    if (inHead !== undefined) mergePoints(target, inHead, 0, scratch);
    return target;
  }
}

const NO_PAGES: readonly undefined[] = /* @__PURE__ */ Object.freeze([]);
