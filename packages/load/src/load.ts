/** The two ways to run: one target, or several that are compared. */
import { invalidArgument } from "moonpack/bytes";
import { ratiosOf } from "./measure/ratios.js";
import { type LoadOptions, type Settings, settingsOf } from "./options/options.js";
import { Orders } from "./order/order.js";
import type { Comparison, LoadResult } from "./result.js";
import { Interruption } from "./run/interruption.js";
import { Runner } from "./run/runner.js";
import { asTarget, type Operation, type Target } from "./target.js";

/**
 * Loads a target and returns how many operations a second it does and how long each takes. A function is called with the number of
 * the operation. The run takes `warmupMs` and `rounds` times `durationMs`: 53 s by default.
 *
 * Errors of operations and wrong answers are counted in the result, and what `close` throws is among its failures. What `setup` throws
 * rejects. Throws `ERR_INVALID_ARGUMENT` for options, and for a target that lacks what the scenario needs.
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
 * Loads several targets in turn, in an order that rotates with each round, and returns their results with ratios to the first one,
 * taken within each round. All are set up before the first warm-up. Their names must differ; functions without a name get a number.
 * Otherwise as {@link load}.
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

/** Ratios and pictures know targets by their names. */
function distinct(targets: readonly Target[]): void {
  const names = new Set<string>();
  for (const { name } of targets) {
    if (names.has(name)) throw invalidArgument(`two targets have the name ${name}: give each its own`);
    names.add(name);
  }
}

async function run(targets: readonly Target[], settings: Settings): Promise<readonly Runner[]> {
  const interruption = new Interruption(settings.signal);
  const orders = new Orders(settings);
  const runners = targets.map((target) => new Runner(target, settings, orders, interruption));
  distinct(targets);
  const begun: Runner[] = [];
  try {
    for (const runner of runners) {
      if (interruption.isOn) break;
      begun.push(runner);
      await runner.setup();
    }
    for (const runner of runners) if (!interruption.isOn) await runner.warmUp();
    for (let round = 0; round < settings.rounds; round++) {
      for (let turn = 0; turn < runners.length; turn++)
        if (!interruption.isOn) await runners[(round + turn) % runners.length]!.round(round + 1);
    }
  } finally {
    await Promise.all(begun.map((runner) => runner.close()));
  }
  return runners;
}
