/**
 * A time limit in four parts. A process that was stopped or busy, or a computer that slept, sees one part pass, not the whole time:
 * what has come meanwhile is read before the next.
 */
export class Ticks {
  static readonly PARTS = 4;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #silent = 0;

  /** Calls `tick` after each part with the number of parts since the last `restart`. */
  start(ms: number, tick: (parts: number) => void): void {
    this.stop();
    this.#silent = 0;
    const next = (): void => {
      this.#timer = setTimeout(() => {
        this.#silent++;
        next();
        tick(this.#silent);
      }, ms / Ticks.PARTS);
    };
    next();
  }

  restart(): void {
    this.#silent = 0;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
