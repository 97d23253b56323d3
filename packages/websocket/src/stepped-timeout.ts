/**
 * A timeout in four steps. After a process was stopped or busy, or a computer slept, only one step has passed and not the whole timeout.
 * Messages that arrived during the pause are read before the next step ends.
 */
export class SteppedTimeout {
  /** Number of steps in the whole timeout. */
  static readonly STEPS = 4;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #steps = 0;

  /** Calls `onStep` after each step, with the number of steps since the last `restart`. */
  start(ms: number, onStep: (steps: number) => void): void {
    this.stop();
    this.#steps = 0;
    const next = (): void => {
      this.#timer = setTimeout(() => {
        this.#steps++;
        next();
        onStep(this.#steps);
      }, ms / SteppedTimeout.STEPS);
    };
    next();
  }

  /** Starts the timeout again from its first step. */
  restart(): void {
    this.#steps = 0;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
