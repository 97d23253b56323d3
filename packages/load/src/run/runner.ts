/** Runs the phases of a target: setup, warm-up, rounds and close. */
import { codeOf } from "../measure/errors-by-code.js";
import { machine } from "../measure/machine.js";
import { Meter } from "../measure/meter.js";
import { notesOf } from "../measure/notes.js";
import { roundResult } from "../measure/round-result.js";
import { measureRunnerOverhead, type RunnerOverhead } from "../measure/runner-overhead.js";
import { failuresOf, summaryOf } from "../measure/summary.js";
import type { Scenario, Settings } from "../options/options.js";
import type { Progress } from "../options/progress.js";
import { peakOf, stepOf, workersOf } from "../options/ramp.js";
import type { LoadResult, Machine, RoundResult } from "../result.js";
import { isNumbered, type Target, usesOf } from "../target.js";
import type { OperationSequences } from "../workload/operation-sequence.js";
import { SystemClock } from "./clock.js";
import type { Interruption } from "./interruption.js";
import { Round, type RoundPlan } from "./round.js";
import { scenarioFor } from "./scenario.js";

/** Milliseconds between two progress reports. */
const PROGRESS_MS = 250;

/** Loads one target. */
export class Runner {
  readonly #target: Target;
  readonly #settings: Settings;
  readonly #interruption: Interruption;
  readonly #scenario: Scenario;
  readonly #sequences: OperationSequences | undefined;
  readonly #plannedMs: number | null;
  readonly #machine: Machine = machine();
  readonly #date = new Date().toISOString();
  readonly #rounds: RoundResult[] = [];
  #wrongInWarmUp = 0;
  /** The error of closing the target. */
  #closeFailure: string | undefined;

  /** `plannedMs` is the length of the whole run, for its progress. */
  constructor(
    target: Target,
    settings: Settings,
    sequences: OperationSequences,
    interruption: Interruption,
    plannedMs: number | null,
  ) {
    this.#plannedMs = plannedMs;
    this.#target = target;
    this.#settings = settings;
    this.#interruption = interruption;
    this.#scenario = scenarioFor(target, settings.scenario);
    this.#sequences = isNumbered(target) ? undefined : sequences;
  }

  /** Prepares the target. */
  async setup(): Promise<void> {
    const { keys, concurrency, timeoutMs, values } = this.#settings;
    this.#report("setup", 0, 0);
    await this.#interruption.waitWithGrace(
      Promise.resolve(
        this.#target.setup?.({
          keys,
          concurrency: peakOf(concurrency),
          timeout: timeoutMs,
          value: (key) => values[key % values.length],
          signal: this.#interruption.signal,
        }),
      ),
    );
  }

  /** Runs the same load as in a round, without keeping its measurements. */
  async warmUp(): Promise<void> {
    const { warmupMs } = this.#settings;
    if (warmupMs === 0) return;
    const { wrong } = await this.#run(0, { operations: undefined, durationMs: warmupMs });
    this.#wrongInWarmUp += wrong;
  }

  /** Runs one round. Numbers start with 1. */
  async round(number: number): Promise<void> {
    const { operations, durationMs } = this.#settings;
    this.#rounds.push(await this.#run(number, { operations, durationMs }));
  }

  /** Releases the target. Never rejects: an error is added to the result's failures, so that measurements are not lost. */
  async close(): Promise<void> {
    const closing = (async () => this.#target.close?.())().catch((error: unknown) => {
      const text = error instanceof Error && error.message !== "" ? error.message : codeOf(error);
      this.#closeFailure = `the target could not be closed: ${text}`;
    });
    const { timeoutMs } = this.#settings;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.#closeFailure = `the target was not closed within ${timeoutMs} ms`;
        resolve();
      }, timeoutMs);
    });
    if (!(await this.#interruption.waitWithGrace(Promise.race([closing, late]))))
      this.#closeFailure = "the target was not closed in time after the interruption";
    clearTimeout(timer);
  }

  get rounds(): readonly RoundResult[] {
    return this.#rounds;
  }

  get result(): LoadResult {
    const settings = this.#settings;
    const summary = summaryOf(this.#rounds);
    const { hasKeys, hasValues } = usesOf(this.#target, this.#scenario);
    const { operationNames } = this.#target;
    return {
      format: 1,
      target: this.#target.name,
      options: {
        scenario: this.#scenario,
        ...(operationNames !== undefined && { operationNames }),
        payload: hasValues ? settings.payload : null,
        concurrency: settings.concurrency,
        rate: settings.rate ?? null,
        operations: settings.operations ?? null,
        durationMs: settings.operations === undefined ? settings.durationMs : null,
        warmupMs: settings.warmupMs,
        rounds: settings.rounds,
        keys: hasKeys ? settings.keys : null,
        distribution: settings.distribution,
        seed: settings.seed,
        timeoutMs: settings.timeoutMs,
      },
      interrupted: this.#interruption.isInterrupted,
      machine: this.#machine,
      date: this.#date,
      rounds: [...this.#rounds],
      summary,
      failures: [
        ...failuresOf(this.#rounds, this.#wrongInWarmUp),
        ...(this.#closeFailure === undefined ? [] : [this.#closeFailure]),
      ],
      notes: notesOf(this.#rounds, summary, {
        wanted: this.#interruption.isInterrupted ? settings.rounds : undefined,
        isRamp: typeof settings.rate === "object" || typeof settings.concurrency === "object",
      }),
    };
  }

  async #run(number: number, length: Pick<RoundPlan, "operations" | "durationMs">): Promise<RoundResult> {
    const { values, rounds, timeoutMs } = this.#settings;
    const workers = workersOf(this.#settings.concurrency, number, rounds);
    const rate = stepOf(this.#settings.rate, number, rounds);
    const target = this.#target;
    const sequence = this.#sequences?.of(number, this.#scenario);
    const meter = new Meter(target, workers, rate !== undefined);
    const clock = new SystemClock(() => meter.activity);
    const round = new Round({ target, sequence, values, workers, rate, timeoutMs, ...length }, clock, meter);
    const endOverhead = measureRunnerOverhead();
    const endReports = this.#startReports(round, number);
    const detach = this.#interruption.attachRound(round);
    let overhead: RunnerOverhead;
    try {
      await round.run();
    } finally {
      detach();
      overhead = await endOverhead(clock.spinMs);
      endReports();
    }
    const partial = round.isIncomplete;
    const ended = meter.operations + meter.errors.total;
    const scheduledMs = rate === undefined ? undefined : partial ? (ended * 1000) / rate : round.plannedMs;
    return roundResult(meter, { start: round.start, scheduledMs, overhead, partial });
  }

  /** Starts to report the progress of a round. Returns a function that ends the reports, and throws the first error of `onProgress`. */
  #startReports(round: Round, number: number): () => void {
    let failure: { readonly error: unknown } | undefined;
    const report = () => {
      try {
        this.#report(number === 0 ? "warm-up" : "round", number, round.progress, round);
      } catch (error) {
        failure ??= { error };
        round.abandon();
      }
    };
    report();
    const timer = setInterval(report, PROGRESS_MS);
    return () => {
      clearInterval(timer);
      if (failure !== undefined) throw failure.error;
    };
  }

  #report(phase: Progress["phase"], round: number, done: number, running?: Round): void {
    const operations = running?.meter.operations ?? 0;
    const seconds = running === undefined ? 0 : (performance.now() - running.start) / 1000;
    this.#settings.onProgress?.({
      target: this.#target.name,
      phase,
      round,
      rounds: this.#settings.rounds,
      plannedMs: this.#plannedMs,
      done,
      operations,
      errors: running?.meter.errors.total ?? 0,
      perSecond: seconds > 0 ? operations / seconds : 0,
    });
  }
}
