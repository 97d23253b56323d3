/**
 * Returns the milliseconds that work takes on a machine that others use too: those of the clock or of the processor, whichever are
 * less. The clock goes on while the scheduler lets other processes run. The processor's time also counts the threads that collect
 * garbage beside the program.
 */
export function timeOwn(work: () => void): number {
  const processor = process.cpuUsage();
  const start = performance.now();
  work();
  const elapsed = performance.now() - start;
  const { user, system } = process.cpuUsage(processor);
  return Math.min(elapsed, (user + system) / 1000);
}
