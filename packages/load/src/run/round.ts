/** A round: lanes that keep operations in flight until the round is over. */

import { NOT_STARTED_CODE, UNFINISHED_CODE } from "../measure/errors-by-code.js";
import { Meter } from "../measure/meter.js";
import type { Target } from "../target.js";
import type { Clock } from "./clock.js";
import { LaneTable } from "./lane-table.js";
import { LoopTurns } from "./loop-turns.js";
import { Pacer } from "./pacer.js";
import { Refusals } from "./refusals.js";

/** What a round does. */
export interface RoundPlan {
  readonly target: Target;
  /** Keys of operations in order, see `Orders`; undefined: the number of the operation is its key. */
  readonly order: Int32Array | undefined;
  readonly values: readonly unknown[];
  readonly lanes: number;
  /** Operations a second; undefined: as many as the lanes do. */
  readonly rate: number | undefined;
  /** Operations; undefined: until `durationMs` is over. */
  readonly operations: number | undefined;
  readonly durationMs: number;
  readonly timeoutMs: number;
}

/** How often operations that take too long are looked for: ten times within the time that they have. */
const SWEEPS = 10;
const MOST_SWEEP_MS = 100;
/** A round that is behind its schedule goes on for as long again, and for so many milliseconds at least. */
const LEAST_GRACE_MS = 1000;

/** One round of one target. */
export class Round {
  readonly #plan: RoundPlan;
  readonly #clock: Clock;
  readonly #table: LaneTable;
  readonly #pacer: Pacer;
  readonly #turns: LoopTurns;
  readonly #refusals: Refusals;
  readonly meter: Meter;
  /** The number of the next operation. */
  #next = 0;
  /** The number of operations to start. */
  #total: number;
  /** Milliseconds of an operation in the schedule. */
  readonly #interval: number;
  /** Milliseconds that the schedule takes, or `durationMs`; Infinity for a number of operations without a schedule. */
  readonly plannedMs: number;
  #isCut = false;
  /** When the round starts, and when no more operations start. */
  #start = NaN;
  #end = NaN;

  constructor(plan: RoundPlan, clock: Clock, meter = new Meter(plan.target, plan.lanes, plan.rate !== undefined)) {
    const { rate, operations, durationMs } = plan;
    this.#plan = plan;
    this.#clock = clock;
    this.meter = meter;
    this.#pacer = new Pacer(clock);
    this.#turns = new LoopTurns(clock);
    this.#refusals = new Refusals(plan.target.name, plan.lanes);
    this.#table = new LaneTable(plan.lanes, rate === undefined ? this.#lane : this.#pacedLane);
    this.#interval = rate === undefined ? 0 : 1000 / rate;
    this.#total = operations ?? (rate === undefined ? Infinity : Math.max(1, Math.ceil((durationMs * rate) / 1000)));
    this.plannedMs =
      rate !== undefined ? this.#total * this.#interval : operations === undefined ? durationMs : Infinity;
  }

  /** The time at which the round started. */
  get start(): number {
    return this.#start;
  }

  /** True if operations were left out, or not waited for, because the round was to end before its time. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** The share that is done, from 0 to 1. */
  get done(): number {
    const elapsed = (this.#clock.now() - this.#start) / this.plannedMs;
    return Math.min(1, elapsed > 0 ? elapsed : this.#next / this.#total);
  }

  /** Runs until all is done, or until {@link Round.stop} and then {@link Round.abandon}. */
  async run(): Promise<void> {
    const { rate, timeoutMs } = this.#plan;
    const { plannedMs } = this;
    this.#start = this.#clock.now();
    this.#end = this.#start + (rate === undefined ? plannedMs : plannedMs + Math.max(plannedMs, LEAST_GRACE_MS));
    let cancel = () => {};
    const sweep = () => {
      const now = this.#clock.now();
      this.#table.expire(now - timeoutMs, (lane) => this.meter.expire(lane, now));
      cancel = this.#clock.later(Math.max(1, Math.min(MOST_SWEEP_MS, timeoutMs / SWEEPS)), sweep);
    };
    sweep();
    try {
      await this.#table.start();
    } catch (error) {
      // The other lanes would go on.
      this.abandon();
      throw error;
    } finally {
      cancel();
      this.#pacer.stop();
    }
  }

  /** Starts no more operations. Those that were due and found no lane count as errors: a target that answers no more has none free. */
  stop(): void {
    const due = this.#plan.rate === undefined ? 0 : Math.floor((this.#clock.now() - this.#start) / this.#interval) + 1;
    const late = Math.min(due, this.#total) - this.#next;
    if (late > 0) this.meter.errors.addCode(NOT_STARTED_CODE, late);
    // Without a schedule, nothing more would start after the end. Lanes that wait for their time say themselves that they are cut.
    const isOver = this.#plan.rate === undefined && this.#clock.now() >= this.#end;
    if (this.#next < this.#total && !isOver) this.#isCut = true;
    this.#total = Math.min(this.#total, this.#next);
    this.#pacer.stop();
  }

  /** Waits for operations in flight no longer. They count as errors: left out, they would hide that they took so long. */
  abandon(): void {
    this.#isCut = true;
    this.stop();
    const unfinished = this.#table.abandon();
    if (unfinished > 0) this.meter.errors.addCode(UNFINISHED_CODE, unfinished);
  }

  /** Operations one after the other, without a schedule. The end of one is the start of the next: one look at the clock. */
  readonly #lane = async (lane: number, generation: number): Promise<void> => {
    const { target, order, values } = this.#plan;
    const mask = order === undefined ? 0 : order.length - 1;
    const clock = this.#clock;
    const table = this.#table;
    const meter = this.meter;
    let now = clock.now();
    for (;;) {
      const turn = this.#turns.before(now);
      if (turn !== undefined) {
        table.begun[lane] = Infinity;
        await turn;
        now = clock.now();
      }
      const n = this.#next;
      if (n >= this.#total || now >= this.#end) break;
      this.#next = n + 1;
      const code = order === undefined ? n : order[n & mask]!;
      const begun = now;
      table.begun[lane] = begun;
      let result: unknown;
      try {
        result = await (code >= 0 ? target.get!(code) : target.set!(~code, values[~code % values.length]));
      } catch (error) {
        if (table.generation[lane] !== generation) return;
        now = clock.now();
        meter.fail(lane, now, error);
        this.#refusals.add(error, meter.operations);
        continue;
      }
      if (table.generation[lane] !== generation) return;
      now = clock.now();
      meter.end(lane, begun, now);
      // The time of a check is not that of the next operation.
      if (code >= 0 && meter.check(n, code, result)) now = clock.now();
    }
    table.begun[lane] = Infinity;
  };

  /** Operations on a schedule: each starts when it is due, or when a lane is free. */
  readonly #pacedLane = async (lane: number, generation: number): Promise<void> => {
    const { target, order, values } = this.#plan;
    const mask = order === undefined ? 0 : order.length - 1;
    const table = this.#table;
    const meter = this.meter;
    for (;;) {
      const n = this.#next;
      if (n >= this.#total) break;
      this.#next = n + 1;
      const due = this.#start + n * this.#interval;
      let begun = this.#clock.now();
      table.begun[lane] = Infinity;
      if (begun < due) {
        if (!(await this.#pacer.until(due))) {
          this.#isCut = true;
          break;
        }
        begun = this.#clock.now();
      } else {
        const turn = this.#turns.before(begun);
        if (turn !== undefined) {
          await turn;
          begun = this.#clock.now();
        }
        if (begun >= this.#end) {
          this.#giveUp(n);
          break;
        }
      }
      const code = order === undefined ? n : order[n & mask]!;
      table.begun[lane] = begun;
      meter.activity++;
      meter.late!.record(begun - due);
      let result: unknown;
      try {
        result = await (code >= 0 ? target.get!(code) : target.set!(~code, values[~code % values.length]));
      } catch (error) {
        if (table.generation[lane] !== generation) return;
        meter.fail(lane, this.#clock.now(), error);
        this.#refusals.add(error, meter.operations);
        continue;
      }
      if (table.generation[lane] !== generation) return;
      const ended = this.#clock.now();
      meter.end(lane, begun, ended);
      meter.response!.record(ended - due);
      if (code >= 0) meter.check(n, code, result);
    }
    table.begun[lane] = Infinity;
  };

  /** The schedule cannot be met: what was due and has not started counts as errors. `n` is the first of them. */
  #giveUp(n: number): void {
    if (n >= this.#total) return;
    this.meter.errors.addCode(NOT_STARTED_CODE, this.#total - n);
    this.#total = n;
    this.#next = n;
  }
}
