import type { Contestant, Pace, Rounds } from "../../../measure/interleave.js";
import { compileLoop, type Loop, type Sink } from "../../../measure/loop.js";
import { Random } from "../../../workloads/random.js";

/** A batch lasts so many steps of the clock: then what the clock leaves out is 2 % of a batch, and nearly nothing of a sample. */
const BATCH_STEPS = 50;
/** Unless its inputs would leave the processor's cache, where a call is long enough not to need more. */
const BATCH_CALLS = 16_384;
const BATCH_BYTES = 1_048_576;

interface Runner {
  readonly contestant: Contestant;
  readonly loop: Loop;
  readonly times: number[];
  /** Calls of a batch: found out while warming up. */
  batch: number;
}

/**
 * `interleave` for pages: a sample of each contestant a round. Pages have no clock of processor time; their wall clock is coarse, so
 * batches become as long as it needs. Nor can they collect garbage: whoever comes next may pay for it, so each round has an order of
 * its own, from a seed, in which everybody follows everybody.
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
      // The browser does its own work between samples, collections among it.
      await new Promise((resolve) => setTimeout(resolve));
      const time = sample(runner, pace.sampleMs, clockMs * BATCH_STEPS, sink);
      if (round >= 0) runner.times.push(time);
    }
  }
  return new Map(runners.map(({ contestant, times }) => [contestant.id, times]));
}

/** Takes one sample and returns nanoseconds per call. */
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
      // Too short to tell: not even a sample that has no other is made of it.
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
