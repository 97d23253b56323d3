/** The overhead of the runner: the resources of its process during a round. */
import { monitorEventLoopDelay, PerformanceObserver, performance } from "node:perf_hooks";

/** Resources of this process during a round. */
export interface RunnerOverhead {
  /** CPU time of all threads in microseconds, without busy waiting. */
  readonly cpuMicros: number;
  /** The share of the time in which the event loop was busy, from 0 to 1, without busy waiting. */
  readonly utilisation: number;
  /** The longest delay of the event loop, in milliseconds. */
  readonly loopDelayMs: number;
  /** Milliseconds in the garbage collector. */
  readonly gcMs: number;
}

const RESOLUTION_MS = 10;

/** Starts to measure. Returns a function that ends it; `spinMs` is the duration of busy waiting. */
export function measureRunnerOverhead(): (spinMs: number) => Promise<RunnerOverhead> {
  let gcMs = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) gcMs += duration;
  });
  observer.observe({ entryTypes: ["gc"] });
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const before = performance.eventLoopUtilization();
  const cpu = process.cpuUsage();
  return async (spinMs) => {
    const { user, system } = process.cpuUsage(cpu);
    const { active, idle } = performance.eventLoopUtilization(before);
    delay.disable();
    // The last collections are reported in later iterations of the event loop.
    for (let i = 0; i < 2; i++) await new Promise((resolve) => setImmediate(resolve));
    for (const { duration } of observer.takeRecords()) gcMs += duration;
    observer.disconnect();
    const busy = Math.max(0, active - spinMs);
    return {
      // Scaled: busy waiting takes its share of the CPU time, also when other processes compete for the CPU.
      cpuMicros: active === 0 ? 0 : ((user + system) * busy) / active,
      utilisation: active + idle === 0 ? 0 : busy / (active + idle),
      // The histogram records the whole time between two timers.
      loopDelayMs: Math.max(0, delay.max / 1e6 - RESOLUTION_MS),
      gcMs,
    };
  };
}
