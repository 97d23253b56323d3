import type { Clock } from "./clock.js";

/** After this time without a turn of the event loop, the next turn is scheduled. */
const SCHEDULE_MS = 5;
/** After this time, lanes wait for that turn. */
const WAIT_MS = 10;

/**
 * Yields to the event loop when operations end without a turn of it, as for a target in memory. Otherwise timers, signals and sockets
 * would wait until the round ends. Costs one comparison per operation.
 */
export class EventLoopYield {
  readonly #clock: Clock;
  #lastTurn: number;
  #next: Promise<void> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#lastTurn = clock.now();
  }

  /** Returns the promise of a turn that a lane must await before its next operation; usually undefined. */
  yieldIfDue(now: number): Promise<void> | undefined {
    return now - this.#lastTurn < SCHEDULE_MS ? undefined : this.#schedule(now);
  }

  #schedule(now: number): Promise<void> | undefined {
    this.#next ??= new Promise((resolve) => {
      this.#clock.turn(() => {
        this.#next = undefined;
        this.#lastTurn = this.#clock.now();
        resolve();
      });
    });
    return now - this.#lastTurn < WAIT_MS ? undefined : this.#next;
  }
}
