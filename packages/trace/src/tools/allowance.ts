/** The time that hooks may be on: a share of all time, saved up to a bound. */

/** What is saved at most, in milliseconds. */
const MAX_SAVED = 250;

/** Time is in milliseconds of `performance.now()`. */
export class Allowance {
  readonly #share: number;
  #saved: number;
  #settledAt: number;
  #isOn = false;

  /** A share of 1 is never used up. */
  constructor(share: number, now: number) {
    this.#share = share;
    this.#saved = share === 0 ? 0 : MAX_SAVED;
    this.#settledAt = now;
  }

  /** True if enough is saved for a request to begin: half of the most. */
  isEnough(now: number): boolean {
    this.#settle(now);
    return this.#saved >= MAX_SAVED / 2;
  }

  /** Switches on. Returns the milliseconds until all is used up. */
  switchOn(now: number): number {
    this.#settle(now);
    this.#isOn = true;
    return this.#saved / (1 - this.#share);
  }

  switchOff(now: number): void {
    this.#settle(now);
    this.#isOn = false;
  }

  /** May go below zero where the event loop was blocked: that has to be saved first. */
  #settle(now: number): void {
    const passed = now - this.#settledAt;
    this.#settledAt = now;
    this.#saved = Math.min(MAX_SAVED, this.#saved + passed * (this.#isOn ? this.#share - 1 : this.#share));
  }
}
