/** What the runner itself takes: its process is one side of what is measured. */
import { monitorEventLoopDelay, PerformanceObserver, performance } from "node:perf_hooks";

/** What a round has taken of this process. */
export interface RunnerShare {
  /** Microseconds of the processor, all threads, without those in which the runner only waited. */
  readonly cpuMicros: number;
  /** The share of the time in which the event loop was busy, from 0 to 1, without that in which the runner only waited. */
  readonly utilisation: number;
  /** The longest time in which the event loop heard of nothing, in milliseconds. */
  readonly loopDelayMs: number;
  /** Milliseconds in the garbage collector. */
  readonly gcMs: number;
}

const RESOLUTION_MS = 10;

/** Begins to measure. The result is a function that ends it; `spun` is the time in milliseconds in which the runner only waited. */
export function measureRunnerShare(): (spun: number) => Promise<RunnerShare> {
  let gcMs = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) gcMs += duration;
  });
  observer.observe({ entryTypes: ["gc"] });
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const before = performance.eventLoopUtilization();
  const cpu = process.cpuUsage();
  return async (spun) => {
    const { user, system } = process.cpuUsage(cpu);
    const { active, idle } = performance.eventLoopUtilization(before);
    delay.disable();
    // The observer hears of the last collections in later turns.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    for (const { duration } of observer.takeRecords()) gcMs += duration;
    observer.disconnect();
    const busy = Math.max(0, active - spun);
    return {
      // Time of the clock passes for waiting as for work where others use the processor, too.
      cpuMicros: active === 0 ? 0 : ((user + system) * busy) / active,
      utilisation: active + idle === 0 ? 0 : busy / (active + idle),
      // The histogram has the whole time between two of its timers.
      loopDelayMs: Math.max(0, delay.max / 1e6 - RESOLUTION_MS),
      gcMs,
    };
  };
}
