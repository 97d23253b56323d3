import type { Round } from "./round.js";

/** Milliseconds that operations in flight have to end after an interruption; setup and close have as many. */
const GRACE_MS = 2000;

/** The caller's wish to end a run before its time. */
export class Interruption {
  readonly #own = new AbortController();
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal ?? this.#own.signal;
  }

  /** Never aborts if the caller gave none. */
  get signal(): AbortSignal {
    return this.#signal;
  }

  get isOn(): boolean {
    return this.#signal.aborted;
  }

  /** An interruption stops the round; a little later, it no longer waits for operations in flight. Returns how to undo that. */
  during(round: Round): () => void {
    let timer: NodeJS.Timeout | undefined;
    const stop = () => {
      round.stop();
      timer = setTimeout(() => round.abandon(), GRACE_MS);
    };
    // The caller may have aborted since the round was decided on: the signal would not tell again.
    if (this.isOn) stop();
    else this.#signal.addEventListener("abort", stop, { once: true });
    return () => {
      this.#signal.removeEventListener("abort", stop);
      clearTimeout(timer);
    };
  }

  /** Waits for work, but after an interruption only a little. True if the work has ended. */
  async orGivenUp(work: Promise<unknown>): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    let stop = () => {};
    const givenUp = new Promise<boolean>((resolve) => {
      stop = () => {
        timer = setTimeout(resolve, GRACE_MS, false);
      };
      if (this.isOn) stop();
      else this.#signal.addEventListener("abort", stop, { once: true });
    });
    try {
      return await Promise.race([work.then(() => true), givenUp]);
    } catch (error) {
      // A setup that is aborted may fail because of that.
      if (!this.isOn) throw error;
      return true;
    } finally {
      this.#signal.removeEventListener("abort", stop);
      clearTimeout(timer);
    }
  }
}
