/** Something to time: it does its work once and returns the result. */
export type Job = () => unknown;

/** A round lasts at least so long, so that the clock's steps and a single collection do not count. */
const ROUND_MS = 15;
const ROUNDS = 9;

/** Where results go: kept, so that no compiler can leave the work out. */
const kept: { last: unknown } = { last: undefined };

/**
 * Median milliseconds of one run of each job. The jobs take turns, in an order that rotates, so that whatever slows the
 * machine down for a moment slows all of them. `tell` hears how many of the rounds are done.
 */
export function measure(jobs: readonly Job[], rounds = ROUNDS, tell = (_done: number): void => {}): number[] {
  const repeats = jobs.map(warmUp);
  const times: number[][] = jobs.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < jobs.length; turn++) {
      const index = (round + turn) % jobs.length;
      times[index]!.push(time(jobs[index]!, repeats[index]!));
    }
    tell(round + 1);
  }
  return times.map(median);
}

/** Engines compile by and by: large objects are decoded at full speed only after some thousand runs. */
const WARM_UP_MS = 400;

/** Runs a job until it has had time to be compiled. Returns how many runs fill a round. */
function warmUp(job: Job): number {
  let runs = 0;
  let best = Infinity;
  const end = performance.now() + WARM_UP_MS;
  while (runs < 3 || performance.now() < end) {
    best = Math.min(best, time(job, 1));
    runs++;
  }
  return Math.max(1, Math.ceil(ROUND_MS / best));
}

function time(job: Job, repeats: number): number {
  const begun = performance.now();
  for (let index = 0; index < repeats; index++) kept.last = job();
  return (performance.now() - begun) / repeats;
}

function median(values: number[]): number {
  values.sort((a, b) => a - b);
  return values[values.length >> 1]!;
}
