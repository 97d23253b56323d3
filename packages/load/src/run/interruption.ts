import type { Round } from "./round.js";

/** Grace period after an interruption for operations in flight, for setup and for close. */
const GRACE_MS = 2000;

/** Ends a run early when the caller's signal aborts. */
export class Interruption {
  readonly #own = new AbortController();
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal ?? this.#own.signal;
  }

  /** The caller's signal, or one that never aborts. */
  get signal(): AbortSignal {
    return this.#signal;
  }

  get isInterrupted(): boolean {
    return this.#signal.aborted;
  }

  /**
   * Stops the round after an interruption, and abandons operations in flight after the grace period. Returns a function that detaches
   * the round.
   */
  attachRound(round: Round): () => void {
    let timer: NodeJS.Timeout | undefined;
    const stop = () => {
      round.stop();
      timer = setTimeout(() => round.abandon(), GRACE_MS);
    };
    // An abort before this call would not be reported by the event.
    if (this.isInterrupted) stop();
    else this.#signal.addEventListener("abort", stop, { once: true });
    return () => {
      this.#signal.removeEventListener("abort", stop);
      clearTimeout(timer);
    };
  }

  /** Waits for work, but after an interruption only for the grace period. Returns true if the work has ended. */
  async waitWithGrace(work: Promise<unknown>): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    let stop = () => {};
    const givenUp = new Promise<boolean>((resolve) => {
      stop = () => {
        timer = setTimeout(resolve, GRACE_MS, false);
      };
      if (this.isInterrupted) stop();
      else this.#signal.addEventListener("abort", stop, { once: true });
    });
    try {
      return await Promise.race([work.then(() => true), givenUp]);
    } catch (error) {
      // An aborted setup may fail because of the abort.
      if (!this.isInterrupted) throw error;
      return true;
    } finally {
      this.#signal.removeEventListener("abort", stop);
      clearTimeout(timer);
    }
  }
}
