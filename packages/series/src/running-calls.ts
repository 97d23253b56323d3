/** Calls of a store that closing waits for. */

/** Counts calls that have begun and not ended. */
export class RunningCalls {
  readonly #running = new Set<Promise<unknown>>();

  /** Begins a call. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    const running = call();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Resolves when all calls have ended that run now. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#running);
  }
}
