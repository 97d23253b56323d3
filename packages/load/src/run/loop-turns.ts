import type { Clock } from "./clock.js";

/** After so long without a turn of the event loop, one is asked for. */
const ASK_MS = 5;
/** After so long, lanes wait for it. */
const WAIT_MS = 10;

/**
 * Gives the event loop a turn when operations end without one, as those of a target in memory do: otherwise no timer, signal or
 * socket would be heard until the round ends. Costs a comparison for each operation.
 */
export class LoopTurns {
  readonly #clock: Clock;
  #lastTurn: number;
  #next: Promise<void> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#lastTurn = clock.now();
  }

  /** What a lane must wait for before its next operation; mostly undefined. */
  before(now: number): Promise<void> | undefined {
    return now - this.#lastTurn < ASK_MS ? undefined : this.#ask(now);
  }

  #ask(now: number): Promise<void> | undefined {
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
