/**
 * The head: the unsealed points in memory, by minute (docs/series-format.md, section 4). A minute is open, then frozen while a round or a
 * backup writes its points. Points for a frozen minute open a second one, which a later round writes.
 */
import { removePoints } from "../page/merge.js";
import { type PagePoints, SLOTS } from "../page/page.js";
import type { Values64 } from "../page/values.js";
import { HeadMinute } from "./head-minute.js";
import type { HeadPoints } from "./head-points.js";
import { OpenMinutes } from "./open-minutes.js";
import { CHUNK_BITS, CHUNK_BYTES, CHUNK_POINTS, PointPool, SLAB_BITS, SLAB_MASK } from "./point-pool.js";
import { sortPoints } from "./sort-points.js";

const MINUTE = 60_000;
const IN_CHUNK = CHUNK_POINTS - 1;

/** All points in memory. */
export class Head {
  readonly #pool = new PointPool();
  readonly #open = new OpenMinutes();
  /** Minutes that a round is writing, in freezing order. */
  #frozen: HeadMinute[] = [];
  /** The minute of the last added point. */
  #last: HeadMinute | null = null;
  #points = 0;
  #adding: Promise<void> | undefined;

  /**
   * Settles when a call that adds its points in slices has ended; undefined without one. A round or a backup awaits it before it freezes
   * minutes: a call is in it completely or not at all.
   */
  get adding(): Promise<void> | undefined {
    return this.#adding;
  }

  /** Runs a call that adds its points in slices. Only one may run at a time. */
  async addInSlices(add: () => Promise<void>): Promise<void> {
    const running = add();
    this.#adding = running.catch(() => undefined);
    try {
      await running;
    } finally {
      this.#adding = undefined;
    }
  }

  /** Number of points in memory, including overwritten ones. */
  get points(): number {
    return this.#points;
  }

  /** Bytes of memory in use. */
  get bytes(): number {
    return this.#pool.used * CHUNK_BYTES + this.#pool.otherBytes;
  }

  /** Returns true if {@link freeze} would return minutes. */
  hasMinutes(last: number): boolean {
    return this.#frozen.some(({ minute }) => minute <= last) || this.#open.has(last);
  }

  /** The first Unix minute in memory; Infinity without one. */
  get firstMinute(): number {
    let first = Number.POSITIVE_INFINITY;
    const see = ({ minute }: HeadMinute) => {
      first = Math.min(first, minute);
    };
    this.#open.each(0, Number.POSITIVE_INFINITY, see);
    this.#frozen.forEach(see);
    return first;
  }

  /** Returns the first log file with points beside the minutes that {@link freeze} has returned for `last`; Infinity without any. */
  firstFileBeside(last: number): number {
    let first = Number.POSITIVE_INFINITY;
    this.#open.each(0, Number.POSITIVE_INFINITY, ({ firstFile }) => {
      first = Math.min(first, firstFile);
    });
    for (const { minute, firstFile } of this.#frozen) if (minute > last) first = Math.min(first, firstFile);
    return first;
  }

  /**
   * Adds `n` values at one time, for the metrics in `ids`, or for consecutive ids from `ids` on. The values start at `from`. `file` is
   * the log file with these points.
   */
  addScrape(
    time: number,
    ids: Uint32Array | number,
    n: number,
    values: Values64,
    from: number,
    areInt64: boolean,
    file: number,
  ): void {
    if (n === 0) return;
    const number = Math.floor(time / MINUTE);
    const minute = this.#minute(number, file);
    const milliseconds = time - number * MINUTE;
    const pool = this.#pool;
    const { slabs } = pool;
    let { records } = pool;
    const { words } = values;
    let group = -1;
    let record = 0;
    let slab = -1;
    let times: Uint16Array = EMPTY_TIMES;
    let target: Int32Array = EMPTY_WORDS;
    for (let i = 0; i < n; i++) {
      const id = typeof ids === "number" ? ids + i : ids[i]!;
      if (id >>> 4 !== group) {
        group = id >>> 4;
        record = minute.recordOf(group);
        ({ records } = pool);
      }
      const at = record + (id & (SLOTS - 1));
      let position = records[at]!;
      if ((position & IN_CHUNK) === 0) position = minute.extend(record, id & (SLOTS - 1), areInt64);
      if (position >>> SLAB_BITS !== slab) {
        slab = position >>> SLAB_BITS;
        ({
          times,
          values: { words: target },
        } = slabs[slab]!);
      }
      const to = position & SLAB_MASK;
      times[to] = milliseconds;
      // Copies words: for int64, and to keep the bits of NaN.
      target[2 * to] = words[2 * (from + i)]!;
      target[2 * to + 1] = words[2 * (from + i) + 1]!;
      records[at] = position + 1;
    }
    minute.points += n;
    this.#points += n;
  }

  /** Adds `n` points with their ids (or of one metric), times and values, which start at `from` in their lists. */
  addPoints(
    ids: Uint32Array | number,
    times: Float64Array,
    n: number,
    values: Values64,
    areInt64: boolean,
    file: number,
    from = 0,
  ): void {
    const { words } = values;
    const pool = this.#pool;
    for (let i = from; i < from + n; i++) {
      const time = times[i]!;
      const number = Math.floor(time / MINUTE);
      const minute = this.#minute(number, file);
      const id = typeof ids === "number" ? ids : ids[i]!;
      const record = minute.recordOf(id >>> 4);
      const at = record + (id & (SLOTS - 1));
      const { records } = pool;
      let position = records[at]!;
      if ((position & IN_CHUNK) === 0) position = minute.extend(record, id & (SLOTS - 1), areInt64);
      const slab = pool.slabs[position >>> SLAB_BITS]!;
      const to = position & SLAB_MASK;
      slab.times[to] = time - number * MINUTE;
      slab.values.words[2 * to] = words[2 * i]!;
      slab.values.words[2 * to + 1] = words[2 * i + 1]!;
      records[at] = position + 1;
      minute.points++;
    }
    this.#points += n;
  }

  #minute(number: number, file: number): HeadMinute {
    const last = this.#last;
    if (last !== null && last.minute === number) return last;
    let minute = this.#open.get(number);
    if (minute === undefined) {
      minute = new HeadMinute(this.#pool, number, file);
      this.#open.add(minute);
    }
    this.#last = minute;
    return minute;
  }

  /**
   * Freezes the open minutes up to `last`. Returns all frozen minutes up to it in ascending order; of equal minutes the older first. A
   * backup may have frozen later minutes, too.
   */
  freeze(last: number): HeadMinute[] {
    this.#open.take(last, this.#frozen);
    this.#last = null;
    this.#frozen.sort((a, b) => a.minute - b.minute);
    return this.#frozen.filter(({ minute }) => minute <= last);
  }

  /** Removes minutes whose pages are written. */
  drop(minutes: readonly HeadMinute[]): void {
    for (let i = minutes.length - 1; i >= 0; i--) {
      const minute = minutes[i]!;
      this.#points -= minute.points;
      minute.clear();
    }
    this.#frozen = this.#frozen.filter(({ isCleared }) => !isCleared);
    if (this.#open.isEmpty && this.#frozen.length === 0) this.#pool.clear();
  }

  /** Replaces `points` by the points of a metric in a minute, sorted by time. Returns false if there are none. */
  collect(minute: HeadMinute, id: number, points: PagePoints): boolean {
    points.length = 0;
    const record = minute.find(id >>> 4);
    if (record === 0) return false;
    const pool = this.#pool;
    const end = pool.records[record + (id & (SLOTS - 1))]!;
    if (end === 0) return false;
    points.isInt64 = minute.isInt64(record, id & (SLOTS - 1));
    const last = (end - 1) >>> CHUNK_BITS;
    let chunk = last;
    do {
      chunk = pool.after(chunk);
      const start = chunk << CHUNK_BITS;
      const { times, values } = pool.slabs[start >>> SLAB_BITS]!;
      const from = start & SLAB_MASK;
      const n = chunk === last ? end - start : CHUNK_POINTS;
      const to = points.length;
      points.reserve(to + n);
      const { words } = points.values;
      for (let i = 0; i < n; i++) {
        points.times[to + i] = times[from + i]!;
        words[2 * (to + i)] = values.words[2 * (from + i)]!;
        words[2 * (to + i) + 1] = values.words[2 * (from + i) + 1]!;
      }
      points.length = to + n;
    } while (chunk !== last);
    sortPoints(points);
    return true;
  }

  /**
   * Adds the points of a metric in a minute to earlier ones. Returns false, and adds none, if they were not written by ascending time.
   *
   * @internal
   */
  append(minute: HeadMinute, id: number, points: HeadPoints): boolean {
    const pool = this.#pool;
    const record = minute.find(id >>> 4);
    // The first record is never used, so its slots are empty.
    const end = pool.records[record + (id & (SLOTS - 1))]!;
    if (end === 0) return true;
    points.isInt64 = minute.isInt64(record, id & (SLOTS - 1));
    const lastChunk = (end - 1) >>> CHUNK_BITS;
    let to = points.length;
    let last = -1;
    let chunk = lastChunk;
    do {
      chunk = pool.after(chunk);
      const start = chunk << CHUNK_BITS;
      const { times, values } = pool.slabs[start >>> SLAB_BITS]!;
      const from = start & SLAB_MASK;
      const n = chunk === lastChunk ? end - start : CHUNK_POINTS;
      points.reserve(to, to + n);
      const target = points.times;
      const { words } = points.values;
      for (let i = from; i < from + n; i++, to++) {
        if (times[i]! <= last) return false;
        last = times[i]!;
        target[to] = minute.minute * MINUTE + last;
        words[2 * to] = values.words[2 * i]!;
        words[2 * to + 1] = values.words[2 * i + 1]!;
      }
    } while (chunk !== lastChunk);
    points.length = to;
    return true;
  }

  /** Returns the minutes from `from` to `to` with points of a metric, in ascending order; of equal minutes the older first. */
  minutesOf(id: number, from: number, to: number): readonly HeadMinute[] {
    if (this.#open.isEmpty && this.#frozen.length === 0) return NO_MINUTES;
    const list: HeadMinute[] = [];
    const look = (minute: HeadMinute) => {
      if ((minute.slots(id >>> 4) & (1 << (id & (SLOTS - 1)))) !== 0) list.push(minute);
    };
    for (const minute of this.#frozen) if (minute.minute >= from && minute.minute <= to) look(minute);
    this.#open.each(from, to, look);
    return list.sort((a, b) => a.minute - b.minute);
  }

  /** Removes the points of a metric from `from` (inclusive) to `to` (exclusive), in milliseconds. */
  remove(id: number, from: number, to: number, scratch: PagePoints): void {
    const slot = id & (SLOTS - 1);
    const { records } = this.#pool;
    for (const minute of this.minutesOf(id, Math.floor(from / MINUTE), Math.floor(to / MINUTE))) {
      const start = minute.minute * MINUTE;
      this.collect(minute, id, scratch);
      const record = minute.find(id >>> 4);
      const before = this.#length(records[record + slot]!);
      minute.clearSlot(record, slot);
      const remaining = scratch.length - removePoints(scratch, from - start, to - start);
      for (let i = 0; i < remaining; i++) {
        let position = records[record + slot]!;
        if ((position & IN_CHUNK) === 0) position = minute.extend(record, slot, scratch.isInt64);
        const { times, values } = this.#pool.slabs[position >>> SLAB_BITS]!;
        const place = position & SLAB_MASK;
        times[place] = scratch.times[i]!;
        values.words[2 * place] = scratch.values.words[2 * i]!;
        values.words[2 * place + 1] = scratch.values.words[2 * i + 1]!;
        records[record + slot] = position + 1;
      }
      minute.points -= before - remaining;
      this.#points -= before - remaining;
    }
  }

  /** Returns the number of points that end at a position, including overwritten ones. */
  #length(end: number): number {
    if (end === 0) return 0;
    return ((end - 1) & IN_CHUNK) + 1 + CHUNK_POINTS * (this.#pool.count((end - 1) >>> CHUNK_BITS) - 1);
  }
}

const NO_MINUTES: readonly HeadMinute[] = /* @__PURE__ */ Object.freeze([]);
const EMPTY_TIMES = /* @__PURE__ */ new Uint16Array(0);
const EMPTY_WORDS = /* @__PURE__ */ new Int32Array(0);
