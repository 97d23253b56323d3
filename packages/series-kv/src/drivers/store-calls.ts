/** The calls of an open store. Other drivers may use it, too. */
import { closedError } from "@moonpack/series/driver";

/** Tracks running calls. Closing waits for them; later calls throw `ERR_CLOSED`. */
export class StoreCalls {
  #running = 0;
  #isClosed = false;
  #whenIdle: (() => void) | undefined;

  /** True once closing has begun. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Throws `ERR_CLOSED` once closing has started. */
  assertOpen(): void {
    if (this.#isClosed) throw closedError();
  }

  /** Runs a call. `errorOf` converts errors of the database. */
  async run<T>(act: () => Promise<T>, errorOf: (error: unknown) => Error): Promise<T> {
    this.assertOpen();
    this.#running++;
    try {
      return await act();
    } catch (error) {
      throw errorOf(error);
    } finally {
      if (--this.#running === 0) this.#whenIdle?.();
    }
  }

  /** Resolves when all calls have ended; to false if closing had already started. */
  async close(): Promise<boolean> {
    if (this.#isClosed) return false;
    this.#isClosed = true;
    if (this.#running > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve));
    return true;
  }
}
