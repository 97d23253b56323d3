import { PerformanceObserver } from "node:perf_hooks";

/** How long the event loop was kept from everything else, in milliseconds. */
export interface Blocked {
  /**
   * Of each turn, without what the garbage collector took; no more than the process had of the processor, which is less
   * where the system gave that to others. (With the collector's work then, so never too little.)
   */
  readonly slices: readonly number[];
  /** Of the garbage collector, each time. */
  readonly collections: readonly number[];
  /** Turns during which the process lost the processor. */
  readonly interrupted: number;
}

interface Turn {
  readonly start: number;
  readonly end: number;
  /** Processor time, of all threads. */
  readonly processorMs: number;
}

/** As in `interleave`: what got less of the processor than this was interrupted. */
const CALM_SHARE = 0.95;
const CLOCK_MS = 0.01;

/**
 * Watches the event loop while `work` is under way: an immediate in every turn tells how long nothing else could run
 * between two of them.
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
  // The last turn ends, and the observer hears of the last collection.
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
  collected.push(...observer.takeRecords());
  observer.disconnect();
  return {
    slices: turns.map((turn) => Math.min(turn.end - turn.start - collectedWithin(turn, collected), turn.processorMs)),
    collections: collected.map(({ duration }) => duration),
    interrupted: turns.filter(({ start, end, processorMs }) => processorMs < (end - start) * CALM_SHARE).length,
  };
}

/** Collections do not overlap. */
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
