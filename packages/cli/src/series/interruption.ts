import { onSignal } from "../shared/supervisor.js";

/** A signal that may arrive while a command works. The command then ends by itself. */
export class Interruption {
  #wake: (() => void) | undefined;
  #stop: (() => void) | undefined;
  /** The exit code for the signal; undefined until it arrives. */
  code: number | undefined;

  /** Starts to listen. The first signal is recorded; a second one ends the process immediately. */
  start(): void {
    this.#stop = onSignal((code) => {
      this.code = code;
      this.#wake?.();
    });
  }

  /** Stops listening: the next signal ends the process immediately. */
  stop(): void {
    this.#stop?.();
  }

  /** The result of a promise, or undefined as soon as the signal arrives. */
  orInterrupted<Result>(promise: Promise<Result>): Promise<Result | undefined> {
    if (this.code !== undefined) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      this.#wake = () => resolve(undefined);
      promise.then(resolve, reject);
    });
  }
}
