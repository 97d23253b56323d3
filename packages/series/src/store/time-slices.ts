/** Divides long work into time slices, so that it does not block the event loop. */
import { setImmediate } from "node:timers/promises";

/** Maximum milliseconds of work before a yield to the event loop. */
const SLICE = 8;

/** Measures the time slices of one job. */
export class TimeSlices {
  #start = performance.now();
  readonly #most: number;
  readonly #milliseconds: number;
  #left: number;

  /** `most`: the maximum number of steps of a slice; `milliseconds`: its maximum time. */
  constructor(most = Number.POSITIVE_INFINITY, milliseconds = SLICE) {
    this.#most = this.#left = most;
    this.#milliseconds = milliseconds;
  }

  /** Returns a promise to await if the job must yield to the event loop, otherwise undefined. Must be called after each step. */
  pause(): Promise<void> | undefined {
    if (--this.#left > 0 && performance.now() - this.#start < this.#milliseconds) return undefined;
    return this.rest();
  }

  /** Yields to the event loop. */
  async rest(): Promise<void> {
    await setImmediate();
    this.#left = this.#most;
    this.#start = performance.now();
  }
}
