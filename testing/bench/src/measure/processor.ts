/**
 * Returns the milliseconds that work takes on a shared machine: the clock's or the processor's, whichever is less. The clock
 * also runs while the scheduler runs other processes. The processor's time also counts the threads that collect garbage beside
 * the program.
 */
export function timeOwn(work: () => void): number {
  const processor = process.cpuUsage();
  const start = performance.now();
  work();
  const elapsed = performance.now() - start;
  const { user, system } = process.cpuUsage(processor);
  return Math.min(elapsed, (user + system) / 1000);
}
