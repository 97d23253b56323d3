/** Long work in slices, so that the event loop is never held for long. */
import { setImmediate } from "node:timers/promises";

/** Milliseconds of work after which the event loop gets its turn. */
const SLICE = 8;

/** Counts the time of one job. */
export class TimeSlices {
  #start = performance.now();

  /** Returns a promise when it is time to let the event loop go on. */
  pause(): Promise<void> | undefined {
    if (performance.now() - this.#start < SLICE) return undefined;
    return this.#rest();
  }

  async #rest(): Promise<void> {
    await setImmediate();
    this.#start = performance.now();
  }
}
