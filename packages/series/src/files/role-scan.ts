/** Reads the windows of a metric from the summary blocks of one kept window: the points of each of its roles, joined by time. */
import type { OnDamage } from "../blocks/chunk-cursor.js";
import { MetricScan } from "../blocks/metric-scan.js";
import { firstAtLeast, type Run } from "../blocks/run.js";
import { Summaries } from "../blocks/summary.js";
import { Values64 } from "../page/values.js";
import type { ReadScheduler } from "../read/read-scheduler.js";
import type { PointScan } from "../read/sealed-store.js";
import type { TimeRange } from "../read/time-range.js";
import { COUNT, columnOf, isExactRole, NANS, ROLES, roleId, rolesIn } from "../summarize/roles.js";
import type { SummaryWindows } from "../summarize/summary-windows.js";

const CHUNK = 512;

/** Memory of one read, which the next one may use. */
export class RoleMemory {
  /** The decoded chunks of each role. */
  readonly chunks: readonly Values64[] = Array.from({ length: ROLES }, () => new Values64(CHUNK));
  /** The windows. */
  summaries = new Summaries(CHUNK);
  counts = new Float64Array(CHUNK);
  starts = new Float64Array(CHUNK);

  /** Makes room for windows. */
  reserve(n: number): void {
    if (n <= this.starts.length) return;
    this.summaries = new Summaries(2 * n);
    this.counts = new Float64Array(2 * n);
    this.starts = new Float64Array(2 * n);
  }
}

/** The metric, the starts of its windows, and the roles as bits. */
export interface RoleScanOf extends TimeRange {
  readonly id: number;
  readonly isInt64: boolean;
  readonly roles: number;
}

/** What a scan uses. */
export interface RoleSources {
  readonly memory: RoleMemory;
  readonly onDamage: OnDamage;
  readonly scheduler: ReadScheduler;
}

/** The points of one role. */
interface RolePoints {
  readonly role: number;
  readonly scan: MetricScan;
  run: Run | undefined;
}

/** A scan whose runs are windows, each with its summary. */
export class RoleScan implements PointScan {
  readonly #memory: RoleMemory;
  readonly #scheduler: ReadScheduler;
  readonly #roles: readonly RolePoints[];
  readonly #window: number;
  #length = 0;
  #at = 0;

  constructor(of: RoleScanOf, { window, blocks, masks }: SummaryWindows, { memory, onDamage, scheduler }: RoleSources) {
    this.#memory = memory;
    this.#scheduler = scheduler;
    this.#window = window;
    this.#roles = rolesIn(of.roles).map((role) => {
      const isInt64 = of.isInt64 && isExactRole(role);
      const range = { id: roleId(of.id, role), isInt64, from: of.from, to: of.to, reverse: false };
      const sources = { blocks, memory: undefined, tombstones: masks, onDamage, values: memory.chunks[role]! };
      return { role, scan: new MetricScan(range, sources), run: undefined };
    });
  }

  async next(): Promise<Run | undefined> {
    if (this.#at === this.#length && !(await this.#load())) return undefined;
    const place = this.#at++;
    const { summaries, counts, starts } = this.#memory;
    const first = starts[place]!;
    const summed = { summaries, place, count: counts[place]!, first, last: first + this.#window - 1 };
    return { times: starts, values: summaries.first, from: place, to: place + 1, summed };
  }

  /** Loads the next windows that all roles have. Returns false after the last one. */
  async #load(): Promise<boolean> {
    await this.#scheduler.pause();
    for (;;) {
      let start = 0;
      for (const one of this.#roles) {
        if (one.run === undefined || one.run.from >= one.run.to) one.run = await one.scan.next();
        if (one.run === undefined) return false;
        start = Math.max(start, one.run.times[one.run.from]!);
      }
      // Only a skipped damage makes one role lack windows of another.
      for (const { run } of this.#roles) run!.from = firstAtLeast(run!.times, run!.from, run!.to, start);
      const n = this.#common();
      if (n === 0) continue;
      this.#take(n);
      return true;
    }
  }

  /** Returns the number of next windows that are the same in all roles. */
  #common(): number {
    const [first, ...others] = this.#roles.map(({ run }) => run!);
    let n = first!.to - first!.from;
    for (const run of others) {
      n = Math.min(n, run.to - run.from);
      // Usually the roles share a time column.
      if (run.times === first!.times && run.from === first!.from) continue;
      let same = 0;
      while (same < n && run.times[run.from + same] === first!.times[first!.from + same]) same++;
      n = same;
    }
    return n;
  }

  #take(n: number): void {
    const memory = this.#memory;
    memory.reserve(n);
    for (const { role, run } of this.#roles) {
      const { times, values, from } = run!;
      if (role === COUNT) {
        memory.starts.set(times.subarray(from, from + n));
        memory.counts.set(values.floats.subarray(from, from + n));
      } else if (role === NANS) memory.summaries.nans.set(values.floats.subarray(from, from + n));
      else columnOf(memory.summaries, role)!.words.set(values.words.subarray(2 * from, 2 * (from + n)));
      run!.from += n;
    }
    this.#length = n;
    this.#at = 0;
  }
}
