/**
 * The order of calls that change a store. A call that finds all it needs in memory acts at once. One that must wait, for a metric in
 * the store or for room in memory, lets all later calls wait too: what is written after a delete stays, and of two writes the later
 * one wins.
 */

/** Lets calls act in the order in which they were made. */
export class CallOrder {
  /** Resolves when all calls so far have acted, or failed. */
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  /** Those that may forget a metric. */
  #forgetting = 0;

  /** True if no call waits: the next one may act at once. */
  get isFree(): boolean {
    return this.#waiting === 0;
  }

  /** True if a call waits that may forget a metric: what is known now may not be when a later call has its turn. */
  get mayForget(): boolean {
    return this.#forgetting > 0;
  }

  /**
   * Runs a call that waits. It may look things up at once; before it changes anything it must await `turn`. The next call has its turn
   * when this one has ended, so it must not wait for more than that.
   */
  async inTurn<T>(call: (turn: Promise<void>) => Promise<T>, mayForget = false): Promise<T> {
    const turn = this.#last;
    let end!: () => void;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    // A call that fails early does not let the next one pass those before it.
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
