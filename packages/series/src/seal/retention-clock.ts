/**
 * The time by which retention deletes. What is deleted does not return, and a clock may be wrong by months for a moment: so the time is
 * the least of at least two readings that are apart.
 */

/** A reading counts when the clock has read no less for this long. */
const APART = 3_600_000;

/** Takes the least reading of the clock in a period, which a monotonic clock measures, and in the one before. */
export class RetentionClock {
  readonly #now: () => number;
  /** The least reading of the period before. At first it is one of an earlier run: the end of the last minute that was sealed. */
  #before: number;
  /** The least reading of this period, which began at `#since`. */
  #least = Number.POSITIVE_INFINITY;
  #since = performance.now();

  constructor(now: () => number, sealedUntil: number) {
    this.#now = now;
    this.#before = sealedUntil;
  }

  /** Reads the clock. Returns a time that it has reached for certain. `atLeast`: a time that it is known to have reached. */
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
