import type { Contestant, Pace, Rounds } from "../../../measure/interleave.js";
import { compileLoop, type Loop, type Sink } from "../../../measure/loop.js";
import { Random } from "../../../workloads/random.js";

/** Least length of a batch in steps of the clock: the error is then at most 2 % of a batch, and far less of a sample. */
const BATCH_STEPS = 50;
/** Limits of a batch, so that its inputs stay in the processor's cache; calls that reach them are long enough. */
const BATCH_CALLS = 16_384;
const BATCH_BYTES = 1_048_576;

interface Runner {
  readonly contestant: Contestant;
  readonly loop: Loop;
  readonly times: number[];
  /** Number of calls in a batch, determined while warming up. */
  batch: number;
}

/**
 * `interleave` for pages: one sample of each contestant per round. Pages have no clock of processor time, and their wall clock is
 * coarse, so batches are as long as it requires. Pages cannot collect garbage either, and the next contestant may pay for it.
 * Each round therefore has another order, from a seed, so that every contestant follows every other one.
 */
export async function interleaveInPage(
  contestants: readonly Contestant[],
  pace: Pace,
  seed: number,
  clockMs: number,
): Promise<Rounds> {
  const runners = contestants.map((contestant): Runner => ({ contestant, loop: compileLoop(), times: [], batch: 1 }));
  const sink: Sink = { value: undefined };
  const random = new Random(seed);
  for (let round = -pace.warmUpRounds; round < pace.rounds; round++) {
    for (const runner of random.shuffle(runners)) {
      // Between samples the browser does its own work, including collections.
      await new Promise((resolve) => setTimeout(resolve));
      const time = sample(runner, pace.sampleMs, clockMs * BATCH_STEPS, sink);
      if (round >= 0) runner.times.push(time);
    }
  }
  return new Map(runners.map(({ contestant, times }) => [contestant.id, times]));
}

/** Takes one sample. Returns nanoseconds per call. */
function sample(runner: Runner, sampleMs: number, batchMs: number, sink: Sink): number {
  const { contestant, loop } = runner;
  const most = Math.max(1, Math.min(BATCH_CALLS, Math.floor(BATCH_BYTES / contestant.bytes)));
  let elapsed = 0;
  let calls = 0;
  do {
    const { batch } = runner;
    const inputs = contestant.prepare(batch);
    const start = performance.now();
    loop(contestant.call, inputs, batch, sink);
    const time = performance.now() - start;
    if (time < batchMs && batch < most) {
      // A batch that is too short to measure never counts.
      runner.batch = Math.min(most, batch * 2);
      elapsed = 0;
      calls = 0;
      continue;
    }
    elapsed += time;
    calls += batch;
  } while (elapsed < sampleMs || calls === 0);
  sink.value = undefined;
  return (elapsed * 1e6) / calls;
}
