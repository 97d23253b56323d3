/** A time budget: hooks may be on for a share of all time. Unused time accumulates, up to a limit. */

/** The most time that accumulates, in milliseconds. */
const MAX_BUDGET_MS = 250;

/** Times are milliseconds of `performance.now()`. */
export class TimeBudget {
  readonly #share: number;
  #budgetMs: number;
  #updatedAt: number;
  #isOn = false;

  /** With a share of 1 the budget never runs out. */
  constructor(share: number, now: number) {
    this.#share = share;
    this.#budgetMs = share === 0 ? 0 : MAX_BUDGET_MS;
    this.#updatedAt = now;
  }

  /** Returns true if the budget allows a new recording: half of the limit. */
  isEnough(now: number): boolean {
    this.#update(now);
    return this.#budgetMs >= MAX_BUDGET_MS / 2;
  }

  /** Begins to use the budget. Returns the milliseconds until it runs out. */
  switchOn(now: number): number {
    this.#update(now);
    this.#isOn = true;
    return this.#budgetMs / (1 - this.#share);
  }

  switchOff(now: number): void {
    this.#update(now);
    this.#isOn = false;
  }

  /** The budget becomes negative if the event loop was blocked; new time first makes up for that. */
  #update(now: number): void {
    const passed = now - this.#updatedAt;
    this.#updatedAt = now;
    this.#budgetMs = Math.min(MAX_BUDGET_MS, this.#budgetMs + passed * (this.#isOn ? this.#share - 1 : this.#share));
  }
}
