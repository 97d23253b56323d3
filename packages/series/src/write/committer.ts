/** Adds checked points to the log and the head, and counts them. */
import { setImmediate } from "node:timers/promises";
import type { WriteResult } from "../api.js";
import type { Head } from "../head/head.js";
import { MAX_POINTS } from "../log/record-format.js";
import type { WriteAheadLog } from "../log/write-ahead-log.js";
import type { Settings } from "../options.js";
import type { Values64 } from "../page/values.js";
import type { Registry } from "../registry/registry.js";
import type { Jobs } from "../seal/jobs.js";
import type { Schedule } from "../seal/schedule.js";
import { StagedPoints } from "./staging.js";

const MINUTE = 60_000;
/** Number of points that are added to the head in one iteration of the event loop. At worst each begins a minute: 10 to 20 ms. */
export const ADDED_AT_ONCE = 4096;

/** Takes copies of points that were appended to the log. */
export interface PointTaker {
  /** False: {@link written} need not be called. */
  readonly isActive: boolean;
  /** Takes points, with the arguments of the log's call. */
  written(
    n: number,
    ids: Uint32Array | number,
    times: Float64Array | number,
    values: Values64,
    from?: number,
    listFrom?: number,
  ): void;
}

/** The parts of a store that a committer needs. */
export interface CommitterParts {
  readonly settings: Settings;
  readonly log: WriteAheadLog;
  readonly head: Head;
  readonly maintenance: Jobs;
  readonly schedule: Schedule;
  readonly watches: PointTaker;
  readonly registry: Registry;
  /** Throws if the store is closed or read-only. */
  assertOpen(): void;
}

/** The counts of a call. */
export class Counts {
  accepted = 0;
  late = 0;
  refused = 0;
  firstRefused = -1;

  refuse(index: number): void {
    this.refused++;
    if (this.firstRefused < 0 || index < this.firstRefused) this.firstRefused = index;
  }

  result(): WriteResult {
    const { accepted, late, refused, firstRefused } = this;
    return firstRefused < 0 ? { accepted, late, refused } : { accepted, late, refused, firstRefused };
  }
}

/** Commits the points of calls. */
export class Committer {
  readonly #parts: CommitterParts;
  /** Counts since the store was opened. */
  points = 0;
  late = 0;
  refused = 0;

  constructor(parts: CommitterParts) {
    this.#parts = parts;
  }

  /** Throws if the store cannot be written now. */
  assertWritable(): void {
    this.#parts.assertOpen();
    this.#parts.log.assertWritable();
    if (this.#parts.schedule.failure !== undefined) throw this.#parts.schedule.failure;
  }

  /** True if there is room in memory. */
  get hasRoom(): boolean {
    const { schedule, log, settings } = this.#parts;
    return schedule.hasRoom && log.belowLimit(settings.maxLogBytes) === undefined;
  }

  /** Waits until there is room in memory. Throws if the store cannot be written now, or then. */
  async waitForRoom(): Promise<void> {
    const { schedule, log, settings } = this.#parts;
    // A call that has waited for a failed round fails, too. Otherwise each waiting call would start another failing round.
    this.assertWritable();
    for (;;) {
      const head = schedule.room();
      const written = log.belowLimit(settings.maxLogBytes);
      if (head === undefined && written === undefined) break;
      await Promise.all([head, written]);
    }
    this.assertWritable();
  }

  /** Returns the limits of refused and late times. From `certain` on no metric's points are too old. */
  #limits(): { certain: number; oldest: (id: number) => number; newest: number; sealedUntil: number } {
    const { settings, maintenance, registry } = this.#parts;
    const { retention } = registry;
    const now = settings.now();
    return {
      certain: now - (retention?.shortest ?? settings.retention),
      oldest: (id) => now - (retention?.keepOf(id) ?? settings.retention),
      newest: now + settings.maxAhead,
      sealedUntil: (maintenance.sealed + 1) * MINUTE,
    };
  }

  /** Starts a round if one is due. */
  grown(): void {
    this.#parts.schedule.written(this.#parts.settings.now());
  }

  /** Adds points of one type at once. */
  column(staged: StagedPoints, areInt64: boolean, counts: Counts): void {
    const isOneTime = this.#accept(staged, counts);
    const { length, ids, times, values } = staged;
    if (length === 0) return;
    const { log, head, watches } = this.#parts;
    const { file } = log;
    log.points(length, length === 1 ? ids[0]! : ids, isOneTime ? times[0]! : times, values, 0, areInt64);
    if (watches.isActive) watches.written(length, ids, times, values);
    if (isOneTime) head.addScrape(times[0]!, ids, length, values, 0, areInt64, file);
    else head.addPoints(ids, times, length, values, areInt64, file);
  }

  /** Adds many points of both types, in slices. Each record of the log is appended at once. */
  async columns(floats: StagedPoints, int64s: StagedPoints, counts: Counts): Promise<void> {
    await this.#parts.head.addInSlices(async () => {
      await this.#columnInSlices(floats, false, counts);
      await this.#columnInSlices(int64s, true, counts);
    });
  }

  async #columnInSlices(staged: StagedPoints, areInt64: boolean, counts: Counts): Promise<void> {
    const isOneTime = this.#accept(staged, counts);
    const { length, ids, times, values } = staged;
    const { log, head, watches } = this.#parts;
    for (let record = 0; record < length; record += MAX_POINTS) {
      const end = Math.min(record + MAX_POINTS, length);
      const { file } = log;
      log.points(end - record, ids, isOneTime ? times[0]! : times, values, record, areInt64, record);
      if (watches.isActive) watches.written(end - record, ids, times, values, record, record);
      for (let from = record; from < end; from += ADDED_AT_ONCE) {
        await setImmediate();
        head.addPoints(ids, times, Math.min(ADDED_AT_ONCE, end - from), values, areInt64, file, from);
      }
    }
  }

  /** Removes refused points, and counts all. Returns true if they have one time. */
  #accept(staged: StagedPoints, counts: Counts): boolean {
    const { certain, oldest, newest, sealedUntil } = this.#limits();
    const { times } = staged;
    let isRefused = false;
    let isOneTime = true;
    for (let i = 0; i < staged.length; i++) {
      const time = times[i]!;
      if (time < certain || time > newest) isRefused = true;
      if (time !== times[0]) isOneTime = false;
    }
    if (isRefused)
      staged.filter(
        (time, id) => time >= oldest(id) && time <= newest,
        (index) => counts.refuse(index),
      );
    const { length } = staged;
    for (let i = 0; i < length; i++) if (times[i]! < sealedUntil) counts.late++;
    counts.accepted += length;
    return isOneTime;
  }

  /** Adds the first `n` values of metrics of one type at one time. */
  scrape(time: number, ids: Uint32Array | number, n: number, values: Values64, areInt64: boolean): Counts {
    const { log, head, watches, registry } = this.#parts;
    const { certain, newest, sealedUntil } = this.#limits();
    const counts = new Counts();
    if (n === 0) return counts;
    if (time < certain && registry.retention !== undefined) {
      this.column(StagedPoints.ofScrape(time, ids, n, values), areInt64, counts);
      return counts;
    }
    if (time < certain || time > newest) {
      counts.refused = n;
      counts.firstRefused = 0;
      return counts;
    }
    counts.accepted = n;
    if (time < sealedUntil) counts.late = n;
    const { file } = log;
    log.points(n, ids, time, values, 0, areInt64);
    if (watches.isActive) watches.written(n, ids, time, values);
    head.addScrape(time, ids, n, values, 0, areInt64, file);
    return counts;
  }

  /** Ends a call: resolves when its points have the store's durability. */
  async done(counts: Counts): Promise<WriteResult> {
    this.points += counts.accepted;
    this.late += counts.late;
    this.refused += counts.refused;
    this.grown();
    if (counts.accepted > 0) await this.#parts.log.committed();
    return counts.result();
  }
}
