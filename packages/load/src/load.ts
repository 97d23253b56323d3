/** Runs: `load` for one target, `compare` for several. */
import { invalidArgument } from "moonpack/bytes";
import { ratiosOf } from "./measure/ratios.js";
import { type LoadOptions, type Settings, settingsOf } from "./options/options.js";
import { plannedMsOf } from "./options/planned.js";
import type { Comparison, LoadResult } from "./result.js";
import { Interruption } from "./run/interruption.js";
import { Runner } from "./run/runner.js";
import { asTarget, type Operation, type Target } from "./target.js";
import { OperationSequences } from "./workload/operation-sequence.js";

/**
 * Runs a load test against a target. Returns its operations per second and the times of its operations. A function is called with the number of
 * the operation. The run takes `warmup` plus `rounds` times `duration`: 53 s by default.
 *
 * The result counts errors of operations and wrong answers; an exception of `close` is among its failures. An exception of `setup`
 * rejects. Throws `ERR_INVALID_ARGUMENT` for invalid options, and for a target without the functions that the scenario needs.
 *
 * @example
 * const { summary } = await load((n) => fetch(`http://127.0.0.1:3000/items/${n % 100}`), { rate: 500, rounds: 3 });
 * console.log(summary.perSecond.median, summary.response.p99);
 */
export async function load(target: Target | Operation, options?: LoadOptions): Promise<LoadResult> {
  const [result] = await run([asTarget(target, "function")], settingsOf(options));
  return result!.result;
}

/**
 * Loads several targets in turn, in an order that rotates with each round. Returns their results, with ratios to the first target
 * that are computed within each round. All targets are set up before the first warm-up. Their names must differ; functions without
 * a name get a number. Everything else is the same as for {@link load}.
 *
 * @example
 * const { ratios } = await compare([{ name: "map", get: fromMap }, { name: "object", get: fromObject }], { rounds: 10 });
 */
export async function compare(targets: readonly (Target | Operation)[], options?: LoadOptions): Promise<Comparison> {
  if (!Array.isArray(targets) || targets.length < 2) throw invalidArgument("compare needs at least two targets");
  const settings = settingsOf(options);
  const named = targets.map((target, i) => asTarget(target, `function ${i + 1}`));
  const runners = await run(named, settings);
  const results = runners.map(({ result }) => result);
  return {
    format: 1,
    interrupted: results.some(({ interrupted }) => interrupted),
    targets: results,
    ratios: ratiosOf(results),
  };
}

/** Throws `ERR_INVALID_ARGUMENT` for equal names: ratios and pictures identify targets by their names. */
function assertDistinctNames(targets: readonly Target[]): void {
  const names = new Set<string>();
  for (const { name } of targets) {
    if (names.has(name)) throw invalidArgument(`two targets have the name ${name}: names must differ`);
    names.add(name);
  }
}

async function run(targets: readonly Target[], settings: Settings): Promise<readonly Runner[]> {
  const interruption = new Interruption(settings.signal);
  const sequences = new OperationSequences(settings);
  const plannedMs = plannedMsOf(settings);
  const allMs = plannedMs === null ? null : plannedMs * targets.length;
  const runners = targets.map((target) => new Runner(target, settings, sequences, interruption, allMs));
  assertDistinctNames(targets);
  const started: Runner[] = [];
  try {
    for (const runner of runners) {
      if (interruption.isInterrupted) break;
      started.push(runner);
      await runner.setup();
    }
    for (const runner of runners) if (!interruption.isInterrupted) await runner.warmUp();
    for (let round = 0; round < settings.rounds; round++) {
      for (let i = 0; i < runners.length; i++)
        if (!interruption.isInterrupted) await runners[(round + i) % runners.length]!.round(round + 1);
    }
  } finally {
    await Promise.all(started.map((runner) => runner.close()));
  }
  return runners;
}
