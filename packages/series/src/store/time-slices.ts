/** Divides long work into time slices, so that it does not block the event loop. */
import { setImmediate } from "node:timers/promises";

/** Maximum milliseconds of work before a yield to the event loop. */
const SLICE = 8;

/** Measures the time slices of one job. */
export class TimeSlices {
  #start = performance.now();

  /** Returns a promise to await if the job must yield to the event loop; otherwise undefined. */
  pause(): Promise<void> | undefined {
    if (performance.now() - this.#start < SLICE) return undefined;
    return this.#rest();
  }

  async #rest(): Promise<void> {
    await setImmediate();
    this.#start = performance.now();
  }
}
