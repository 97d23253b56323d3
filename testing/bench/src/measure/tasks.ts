import { Random } from "../workloads/random.js";
import type { Rounds } from "./interleave.js";

/** Work that is too long, or asynchronous, for batches of calls. */
export interface Task {
  readonly id: string;
  /** Does the work once. Returns the milliseconds that count. */
  run(): number | Promise<number>;
}

/** How long to measure. */
export interface TaskPace {
  /** Milliseconds of each task before measuring, at least one run: V8 needs about 20 runs of 10 ms for a decoder. */
  readonly warmUpMs: number;
  readonly rounds: number;
  /** Milliseconds of one task in one round, at least one run. */
  readonly sampleMs: number;
}

/** As in `interleave`: a run with a smaller share of the processor was interrupted and does not count. */
const CALM_SHARE = 0.95;
const PATIENCE = 3;

/**
 * Times tasks in one process, one sample of each per round, each round in another order: `interleave` for functions that
 * return promises. Returns the milliseconds of a run, for each task in each round.
 */
export async function interleaveTasks(tasks: readonly Task[], pace: TaskPace, seed = 0): Promise<Rounds> {
  const random = new Random(seed);
  const times = new Map(tasks.map(({ id }) => [id, [] as number[]]));
  for (const task of tasks) await warmUp(task, pace.warmUpMs);
  for (let round = 0; round < pace.rounds; round++) {
    for (const task of random.shuffle(tasks)) times.get(task.id)!.push(await sample(task, pace.sampleMs));
  }
  return times;
}

async function warmUp(task: Task, milliseconds: number): Promise<void> {
  const start = performance.now();
  do await task.run();
  while (performance.now() - start < milliseconds);
}

async function sample(task: Task, sampleMs: number): Promise<number> {
  // Only the young generation. After a full collection that finds no object of a hidden class, V8 drops the optimized
  // code
  // that knows the class: the next 1.6 MB take a decoder 8 times as long.
  globalThis.gc?.({ type: "minor", execution: "sync" });
  const calm = { elapsed: 0, runs: 0 };
  const interrupted = { elapsed: 0, runs: 0 };
  do {
    const processor = process.cpuUsage();
    const start = performance.now();
    const counted = await task.run();
    const elapsed = performance.now() - start;
    const { user, system } = process.cpuUsage(processor);
    const total = (user + system) / 1000 < elapsed * CALM_SHARE ? interrupted : calm;
    total.elapsed += counted;
    total.runs++;
  } while (calm.elapsed < sampleMs && calm.elapsed + interrupted.elapsed < sampleMs * PATIENCE);
  const { elapsed, runs } = calm.runs > 0 ? calm : interrupted;
  return elapsed / runs;
}
