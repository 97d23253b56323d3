/**
 * The clock of retention. Deleted points cannot be restored, and a clock may be wrong by months for a moment. So the time is the minimum of
 * at least two readings in different periods.
 */

/** The length of a period: a reading counts when later readings were not smaller for this long. */
const APART = 3_600_000;

/** Returns the minimum reading of the clock in this period and the one before. A monotonic clock measures periods. */
export class RetentionClock {
  readonly #now: () => number;
  /** The minimum reading of the previous period. At first it comes from an earlier run: the end of the last sealed minute. */
  #before: number;
  /** The minimum reading of this period, which started at `#since`. */
  #least = Number.POSITIVE_INFINITY;
  #since = performance.now();

  constructor(now: () => number, sealedUntil: number) {
    this.#now = now;
    this.#before = sealedUntil;
  }

  /** Reads the clock. Returns a time that has certainly passed. `atLeast` is a time that is known to have passed. */
  read(atLeast = 0): number {
    const now = this.#now();
    const elapsed = performance.now();
    if (elapsed - this.#since >= APART) {
      this.#before = this.#least;
      this.#least = Number.POSITIVE_INFINITY;
      this.#since = elapsed;
    }
    this.#least = Math.min(this.#least, now);
    return Math.min(now, Math.max(atLeast, Math.min(this.#before, this.#least)));
  }
}
