/**
 * A round of a load test. Its workers execute operations one after the other until the round is over.
 */
import { NOT_STARTED_CODE, UNFINISHED_CODE } from "../measure/errors-by-code.js";
import { Meter } from "../measure/meter.js";
import type { Target } from "../target.js";
import type { Clock } from "./clock.js";
import { EventLoopYield } from "./event-loop-yield.js";
import { Refusals } from "./refusals.js";
import { ScheduleTimer } from "./schedule-timer.js";
import { WorkerTable } from "./worker-table.js";

/** The settings of a round. */
export interface RoundPlan {
  readonly target: Target;
  /**
   * The operations with their keys, see `OperationSequences`. Undefined: each operation is a `get`, and its key is its
   * number.
   */
  readonly sequence: Int32Array | undefined;
  readonly values: readonly unknown[];
  readonly workers: number;
  /** Scheduled operations per second. Undefined: as many as possible. */
  readonly rate: number | undefined;
  /** Number of operations. Undefined: `durationMs` limits the round. */
  readonly operations: number | undefined;
  readonly durationMs: number;
  readonly timeoutMs: number;
}

/** Number of checks for timeouts during `timeoutMs`. */
const SWEEPS = 10;
/** Maximum time between two checks. */
const MAX_SWEEP_MS = 100;
/** A round that is behind its schedule gets a grace period: as long as the schedule, and at least this long. */
const MIN_GRACE_MS = 1000;

/** One round of one target. */
export class Round {
  readonly #plan: RoundPlan;
  readonly #clock: Clock;
  readonly #table: WorkerTable;
  readonly #scheduleTimer: ScheduleTimer;
  readonly #eventLoop: EventLoopYield;
  /** Ends the round when the target refuses all connections. */
  readonly #refusals: Refusals;
  readonly meter: Meter;
  /** The number of the next operation. */
  #next = 0;
  /** The number of operations to start. */
  #total: number;
  /** Milliseconds between two due times of the schedule. */
  readonly #interval: number;
  /** Duration of the schedule, or `durationMs`; Infinity for a number of operations without a schedule. */
  readonly plannedMs: number;
  #isIncomplete = false;
  /** The start time of the round. */
  #start = NaN;
  /** The time after which no operations start. */
  #end = NaN;

  constructor(plan: RoundPlan, clock: Clock, meter = new Meter(plan.target, plan.workers, plan.rate !== undefined)) {
    const { rate, operations, durationMs } = plan;
    this.#plan = plan;
    this.#clock = clock;
    this.meter = meter;
    this.#scheduleTimer = new ScheduleTimer(clock);
    this.#eventLoop = new EventLoopYield(clock);
    this.#refusals = new Refusals(plan.target.name, plan.workers);
    this.#table = new WorkerTable(plan.workers, rate === undefined ? this.#worker : this.#scheduledWorker);
    this.#interval = rate === undefined ? 0 : 1000 / rate;
    this.#total = operations ?? (rate === undefined ? Infinity : Math.max(1, Math.ceil((durationMs * rate) / 1000)));
    this.plannedMs =
      rate !== undefined ? this.#total * this.#interval : operations === undefined ? durationMs : Infinity;
  }

  /** The start time of the round. */
  get start(): number {
    return this.#start;
  }

  /** True if operations were skipped or abandoned, because the round was ended early. */
  get isIncomplete(): boolean {
    return this.#isIncomplete;
  }

  /** The completed share, from 0 to 1. */
  get progress(): number {
    const elapsed = (this.#clock.now() - this.#start) / this.plannedMs;
    return Math.min(1, elapsed > 0 ? elapsed : this.#next / this.#total);
  }

  /** Runs to the end of the round. {@link Round.stop} and {@link Round.abandon} end it early. */
  async run(): Promise<void> {
    const { rate, timeoutMs } = this.#plan;
    const { plannedMs } = this;
    this.#start = this.#clock.now();
    this.#end = this.#start + (rate === undefined ? plannedMs : plannedMs + Math.max(plannedMs, MIN_GRACE_MS));
    let cancel = () => {};
    const sweep = () => {
      const now = this.#clock.now();
      this.#table.expire(now - timeoutMs, (worker) => this.meter.expire(worker, now));
      cancel = this.#clock.later(Math.max(1, Math.min(MAX_SWEEP_MS, timeoutMs / SWEEPS)), sweep);
    };
    sweep();
    try {
      await this.#table.start();
    } catch (error) {
      // Ends the other workers too.
      this.abandon();
      throw error;
    } finally {
      cancel();
      this.#scheduleTimer.stop();
    }
  }

  /**
   * Starts no more operations. Operations that are due, but have not started because all workers were busy, count as errors. Otherwise a
   * target that has stopped answering would look good.
   */
  stop(): void {
    const due = this.#plan.rate === undefined ? 0 : Math.floor((this.#clock.now() - this.#start) / this.#interval) + 1;
    const late = Math.min(due, this.#total) - this.#next;
    if (late > 0) this.meter.errors.addCode(NOT_STARTED_CODE, late);
    // Without a schedule, a round past its end is complete. With one, #next may be #total while workers wait for the due times of the
    // last operations. Those workers set #isIncomplete themselves.
    const isOver = this.#plan.rate === undefined && this.#clock.now() >= this.#end;
    if (this.#next < this.#total && !isOver) this.#isIncomplete = true;
    this.#total = Math.min(this.#total, this.#next);
    this.#scheduleTimer.stop();
  }

  /** Stops waiting for operations in flight. They count as errors, so that slow operations are not hidden. */
  abandon(): void {
    this.#isIncomplete = true;
    this.stop();
    const unfinished = this.#table.abandon();
    if (unfinished > 0) this.meter.errors.addCode(UNFINISHED_CODE, unfinished);
  }

  /** Runs operations without a pause. The end of one is the start of the next, so the clock is read once per operation. */
  readonly #worker = async (worker: number, generation: number): Promise<void> => {
    const { target, sequence, values } = this.#plan;
    const mask = sequence === undefined ? 0 : sequence.length - 1;
    const clock = this.#clock;
    const table = this.#table;
    const meter = this.meter;
    let now = clock.now();
    for (;;) {
      const iteration = this.#eventLoop.yieldIfDue(now);
      if (iteration !== undefined) {
        table.startedAt[worker] = Infinity;
        await iteration;
        now = clock.now();
      }
      const n = this.#next;
      if (n >= this.#total || now >= this.#end) break;
      this.#next = n + 1;
      // The key of a `get`, or ~key of a `set`.
      const operation = sequence === undefined ? n : sequence[n & mask]!;
      const begun = now;
      table.startedAt[worker] = begun;
      let result: unknown;
      try {
        result = await (operation >= 0
          ? target.get!(operation)
          : target.set!(~operation, values[~operation % values.length]));
      } catch (error) {
        if (table.generation[worker] !== generation) return;
        now = clock.now();
        meter.fail(worker, now, error);
        this.#refusals.add(error, meter.operations);
        continue;
      }
      // The operation has timed out, and a new call of this function has taken over the worker.
      if (table.generation[worker] !== generation) return;
      now = clock.now();
      meter.end(worker, begun, now);
      // The time of the check is not part of the next operation.
      if (operation >= 0 && meter.check(n, operation, result)) now = clock.now();
    }
    table.startedAt[worker] = Infinity;
  };

  /** Runs operations on a schedule: each starts at its due time or, if all workers are busy, as soon as one is free. */
  readonly #scheduledWorker = async (worker: number, generation: number): Promise<void> => {
    const { target, sequence, values } = this.#plan;
    const mask = sequence === undefined ? 0 : sequence.length - 1;
    const table = this.#table;
    const meter = this.meter;
    for (;;) {
      const n = this.#next;
      if (n >= this.#total) break;
      this.#next = n + 1;
      const due = this.#start + n * this.#interval;
      let begun = this.#clock.now();
      table.startedAt[worker] = Infinity;
      if (begun < due) {
        if (!(await this.#scheduleTimer.until(due))) {
          this.#isIncomplete = true;
          break;
        }
        begun = this.#clock.now();
      } else {
        const iteration = this.#eventLoop.yieldIfDue(begun);
        if (iteration !== undefined) {
          await iteration;
          begun = this.#clock.now();
        }
        if (begun >= this.#end) {
          this.#giveUp(n);
          break;
        }
      }
      // The key of a `get`, or ~key of a `set`.
      const operation = sequence === undefined ? n : sequence[n & mask]!;
      table.startedAt[worker] = begun;
      meter.activity++; // SystemClock counts the time between two of its wake-ups as busy waiting only if `activity` is unchanged
      meter.late!.record(begun - due);
      let result: unknown;
      try {
        result = await (operation >= 0
          ? target.get!(operation)
          : target.set!(~operation, values[~operation % values.length]));
      } catch (error) {
        if (table.generation[worker] !== generation) return;
        meter.fail(worker, this.#clock.now(), error);
        this.#refusals.add(error, meter.operations);
        continue;
      }
      if (table.generation[worker] !== generation) return;
      const ended = this.#clock.now();
      meter.end(worker, begun, ended);
      meter.response!.record(ended - due);
      if (operation >= 0) meter.check(n, operation, result);
    }
    table.startedAt[worker] = Infinity;
  };

  /** Ends a schedule that cannot be met: operations from `n` on have not started, and count as errors. */
  #giveUp(n: number): void {
    if (n >= this.#total) return;
    this.meter.errors.addCode(NOT_STARTED_CODE, this.#total - n);
    this.#total = n;
    this.#next = n;
  }
}
