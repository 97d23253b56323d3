import { PerformanceObserver } from "node:perf_hooks";

/** How long the event loop was blocked, in milliseconds. */
export interface Blocked {
  /**
   * For each turn, without the time of the garbage collector, but at most the processor time of the process, which is less if the
   * system interrupted it. (That includes the collector's work, so the figure is never too low.)
   */
  readonly slices: readonly number[];
  /** The duration of each garbage collection. */
  readonly collections: readonly number[];
  /** Number of turns in which the system interrupted the process. */
  readonly interrupted: number;
}

interface Turn {
  readonly start: number;
  readonly end: number;
  /** Processor time of all threads. */
  readonly processorMs: number;
}

/** As in `interleave`: a turn with a smaller share of the processor was interrupted. */
const CALM_SHARE = 0.95;
const CLOCK_MS = 0.01;

/**
 * Watches the event loop while `work` runs. An immediate in every turn measures how long nothing else could run between two
 * turns.
 */
export async function watchEventLoop(work: () => Promise<unknown>): Promise<Blocked> {
  const collected: { readonly startTime: number; readonly duration: number }[] = [];
  const observer = new PerformanceObserver((list) => collected.push(...list.getEntries()));
  observer.observe({ entryTypes: ["gc"] });
  const turns: Turn[] = [];
  let isOver = false;
  let start = performance.now();
  let processor = process.cpuUsage();
  const tick = () => {
    const end = performance.now();
    const { user, system } = process.cpuUsage(processor);
    turns.push({ start, end, processorMs: (user + system) / 1000 + CLOCK_MS });
    if (isOver) return;
    processor = process.cpuUsage();
    start = performance.now();
    setImmediate(tick);
  };
  setImmediate(tick);
  await work();
  isOver = true;
  // Wait for the end of the last turn and for the observer's report of the last collection.
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
  collected.push(...observer.takeRecords());
  observer.disconnect();
  return {
    slices: turns.map((turn) => Math.min(turn.end - turn.start - collectedWithin(turn, collected), turn.processorMs)),
    collections: collected.map(({ duration }) => duration),
    interrupted: turns.filter(({ start, end, processorMs }) => processorMs < (end - start) * CALM_SHARE).length,
  };
}

/** Collections do not overlap, so their durations can be added. */
function collectedWithin(
  turn: Turn,
  collected: readonly { readonly startTime: number; readonly duration: number }[],
): number {
  let sum = 0;
  for (const { startTime, duration } of collected) {
    const within = Math.min(turn.end, startTime + duration) - Math.max(turn.start, startTime);
    if (within > 0) sum += within;
  }
  return sum;
}
