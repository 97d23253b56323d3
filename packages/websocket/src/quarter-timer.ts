/**
 * A timeout in four parts. A process that was stopped or busy, or a computer that slept, sees one part pass, not the whole timeout:
 * messages that arrived during the pause are read before the next part.
 */
export class QuarterTimer {
  static readonly QUARTERS = 4;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #quarters = 0;

  /** Calls `onQuarter` after each quarter, with the number of quarters since the last `restart`. */
  start(ms: number, onQuarter: (quarters: number) => void): void {
    this.stop();
    this.#quarters = 0;
    const next = (): void => {
      this.#timer = setTimeout(() => {
        this.#quarters++;
        next();
        onQuarter(this.#quarters);
      }, ms / QuarterTimer.QUARTERS);
    };
    next();
  }

  restart(): void {
    this.#quarters = 0;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
