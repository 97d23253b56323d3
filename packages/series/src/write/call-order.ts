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

  /** True if a waiting call may forget a metric: a metric that is registered now may be forgotten by a waiting call. */
  get mayForget(): boolean {
    return this.#forgetting > 0;
  }

  /**
   * Runs a waiting call. It may read at once, but must await `previous`, which resolves when all earlier calls have ended, before it changes
   * anything. Later calls wait for its end, so it must not wait for anything else.
   */
  async inOrder<T>(call: (previous: Promise<void>) => Promise<T>, mayForget = false): Promise<T> {
    const previous = this.#last;
    let end!: () => void;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    // After an early failure the next call still waits for the calls before.
    this.#last = previous.then(() => ended);
    this.#waiting++;
    if (mayForget) this.#forgetting++;
    try {
      return await call(previous);
    } finally {
      this.#waiting--;
      if (mayForget) this.#forgetting--;
      end();
    }
  }
}
