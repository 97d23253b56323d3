/**
 * The order of calls that change a store. A call that finds all its data in memory acts at once. If a call must wait for a metric in the store
 * or for room in memory, all later calls wait, too. So points that are written after a delete stay, and of two writes the later one wins.
 */

/** Executes calls in the order in which they were made. */
export class CallOrder {
  /** Resolves when all earlier calls have acted or failed. */
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  /** Number of waiting calls that may forget a metric. */
  #forgetting = 0;

  /** True if no call waits: the next call may act at once. */
  get isFree(): boolean {
    return this.#waiting === 0;
  }

  /** True if a waiting call may forget a metric: a metric that is registered now may then be forgotten in a later call's turn. */
  get mayForget(): boolean {
    return this.#forgetting > 0;
  }

  /**
   * Runs a waiting call. It may read at once, but must await `turn` before it changes anything. The next call has its turn when this one has
   * ended, so it must not wait for anything else.
   */
  async inTurn<T>(call: (turn: Promise<void>) => Promise<T>, mayForget = false): Promise<T> {
    const turn = this.#last;
    let end!: () => void;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    // After an early failure the next call still waits for the calls before.
    this.#last = turn.then(() => ended);
    this.#waiting++;
    if (mayForget) this.#forgetting++;
    try {
      return await call(turn);
    } finally {
      this.#waiting--;
      if (mayForget) this.#forgetting--;
      end();
    }
  }
}
