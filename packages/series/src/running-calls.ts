/** The calls that closing a store waits for. */

/** Tracks running calls. */
export class RunningCalls {
  readonly #running = new Set<Promise<unknown>>();

  /** Runs a call. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    const running = call();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Resolves when all calls that are running now have ended. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#running);
  }
}
