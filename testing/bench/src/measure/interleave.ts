import { Random } from "../workloads/random.js";
import { compileLoop, type Loop, type Sink } from "./loop.js";

/** A function to time. */
export interface Contestant {
  readonly id: string;
  /** Creates the inputs of the next `count` calls, outside of the measured time. */
  prepare(count: number): unknown[];
  call(input: unknown): unknown;
  /** Bytes of one input or result; batches are sized so that they fit in the processor's cache. */
  readonly bytes: number;
}

/** How long to measure. */
export interface Pace {
  readonly warmUpRounds: number;
  readonly rounds: number;
  /** Measured milliseconds of one contestant in one round, at least one call. */
  readonly sampleMs: number;
}

/** Nanoseconds per call of each contestant in each round. */
export type Rounds = Map<string, number[]>;

/** A batch is prepared, then timed. It is small enough that its inputs stay young and in the second-level cache. */
const BATCH_CALLS = 256;
const BATCH_BYTES = 262_144;

/** Least share of the wall clock that an uninterrupted batch gets; the processor clock counts microseconds. */
const CLOCK_MS = 0.002;
const CALM_SHARE = 0.95;

/** How many times longer than planned a sample may take to find uninterrupted batches. */
const PATIENCE = 4;

/** Calls with more garbage than this many bytes can hide a whole mark-sweep of another contestant's garbage. */
const LARGE_BYTES = 1_000_000;

/**
 * Times contestants in one process, one sample of each per round. Changes of the machine (clock speed, other processes) affect all
 * of them equally. Each round has another order, from a seed. In an order that rotates, each contestant always follows the same one
 * and pays for what that one left in the old generation: French text of 10 KB took 60 microseconds instead of 30. Ratios are taken
 * within a round.
 *
 * mitata and tinybench run one task to its end before the next one starts, and have no hook for fresh inputs in every call, so
 * this loop is our own.
 */
export function interleave(contestants: readonly Contestant[], pace: Pace, seed = 0): Rounds {
  const random = new Random(seed);
  const runners = contestants.map((contestant) => ({ contestant, loop: compileLoop(), times: [] as number[] }));
  const sink: Sink = { value: undefined };
  for (let round = -pace.warmUpRounds; round < pace.rounds; round++) {
    for (const runner of random.shuffle(runners)) {
      const time = sample(runner.contestant, runner.loop, pace.sampleMs, sink);
      if (round >= 0) runner.times.push(time);
    }
  }
  return new Map(runners.map(({ contestant, times }) => [contestant.id, times]));
}

/**
 * Takes one sample. Returns nanoseconds per call.
 *
 * On a shared machine the scheduler interrupts the process for milliseconds at a time. A batch whose wall time exceeds the
 * process's own processor time was interrupted and does not count, unless the sample has no others. Pauses of the garbage
 * collector are processor time and count.
 */
function sample(contestant: Contestant, loop: Loop, sampleMs: number, sink: Sink): number {
  const batch = Math.max(1, Math.min(BATCH_CALLS, Math.floor(BATCH_BYTES / contestant.bytes)));
  collectGarbage(contestant.bytes > LARGE_BYTES);
  const calm = { elapsed: 0, calls: 0 };
  const interrupted = { elapsed: 0, calls: 0 };
  do {
    const inputs = contestant.prepare(batch);
    const processor = process.cpuUsage();
    const start = performance.now();
    loop(contestant.call, inputs, batch, sink);
    const elapsed = performance.now() - start;
    const { user, system } = process.cpuUsage(processor);
    const total = (user + system) / 1000 + CLOCK_MS < elapsed * CALM_SHARE ? interrupted : calm;
    total.elapsed += elapsed;
    total.calls += batch;
  } while (calm.elapsed < sampleMs && calm.elapsed + interrupted.elapsed < sampleMs * PATIENCE);
  sink.value = undefined;
  const { elapsed, calls } = calm.calls > 0 ? calm : interrupted;
  return (elapsed * 1e6) / calls;
}

/** Empties the young generation, so that no contestant pays for the garbage of the previous one. */
function collectGarbage(everything: boolean): void {
  globalThis.gc?.(everything ? { type: "major", execution: "sync" } : { type: "minor", execution: "sync" });
}
