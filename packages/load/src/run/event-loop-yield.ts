import type { Clock } from "./clock.js";

/** After this time without an iteration of the event loop, the next one is scheduled. */
const SCHEDULE_MS = 5;
/** After this time, workers wait for that iteration. */
const WAIT_MS = 10;

/**
 * Yields to the event loop when operations end without an iteration of it, as for a target in memory. Otherwise timers, signals and sockets
 * would wait until the round ends. Costs one comparison per operation.
 */
export class EventLoopYield {
  readonly #clock: Clock;
  #lastIteration: number;
  #next: Promise<void> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#lastIteration = clock.now();
  }

  /** Returns the promise of an iteration that a worker must await before its next operation; usually undefined. */
  yieldIfDue(now: number): Promise<void> | undefined {
    return now - this.#lastIteration < SCHEDULE_MS ? undefined : this.#schedule(now);
  }

  #schedule(now: number): Promise<void> | undefined {
    this.#next ??= new Promise((resolve) => {
      this.#clock.nextIteration(() => {
        this.#next = undefined;
        this.#lastIteration = this.#clock.now();
        resolve();
      });
    });
    return now - this.#lastIteration < WAIT_MS ? undefined : this.#next;
  }
}
