/** The time of a piece of work. */
export interface Timing {
  readonly milliseconds: number;
  /** True if the scheduler interrupted the process, so that the time says little. */
  readonly interrupted: boolean;
}

/** As in `interleave`: work with a smaller share of the processor was interrupted; its clock counts microseconds. */
const CALM_SHARE = 0.95;
const CLOCK_MS = 0.002;

/** Times work of some hundred microseconds or more. Pauses of the garbage collector are the process's own time. */
export function timeCalmly(work: () => void): Timing {
  const processor = process.cpuUsage();
  const start = performance.now();
  work();
  const milliseconds = performance.now() - start;
  const { user, system } = process.cpuUsage(processor);
  return { milliseconds, interrupted: (user + system) / 1000 + CLOCK_MS < milliseconds * CALM_SHARE };
}
