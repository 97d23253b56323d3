/** A job to time: it does its work once and returns the result. */
export type Job = () => unknown;

/** Least duration of a round, so that clock resolution and a single garbage collection do not matter. */
const ROUND_MS = 15;
const ROUNDS = 9;

/** Holds results, so that the compiler cannot remove the work. */
const kept: { last: unknown } = { last: undefined };

/**
 * Median milliseconds for one run of each job. The jobs take turns in a rotating order, so that a moment in which the machine
 * is slow affects all of them. `report` receives the number of completed rounds.
 */
export function measure(jobs: readonly Job[], rounds = ROUNDS, report = (_done: number): void => {}): number[] {
  const repeats = jobs.map(warmUp);
  const times: number[][] = jobs.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < jobs.length; turn++) {
      const index = (round + turn) % jobs.length;
      times[index]!.push(time(jobs[index]!, repeats[index]!));
    }
    report(round + 1);
  }
  return times.map(median);
}

/** V8 compiles in steps: decoding large objects reaches full speed only after some thousand runs. */
const WARM_UP_MS = 400;

/** Runs a job until it has had time to be compiled. Returns the number of runs that fill a round. */
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
