import type { Clock } from "./clock.js";

/** A worker that waits for the due time of its operation. */
interface Waiter {
  readonly due: number;
  readonly resolve: (isDue: boolean) => void;
}

/** Wakes workers at the due times of their operations. Workers must call `until` in the order of due times. */
export class ScheduleTimer {
  readonly #clock: Clock;
  #waiters: Waiter[] = [];
  #first = 0;
  #cancel: (() => void) | undefined;
  #isStopped = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves with true at the time `due`, with false if the round stops before. */
  until(due: number): Promise<boolean> {
    if (this.#isStopped) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.#waiters.push({ due, resolve });
      this.#cancel ??= this.#clock.at(due, this.#wake);
    });
  }

  /** Wakes all workers with false: no more operations start. */
  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
    for (const { resolve } of this.#waiters.splice(0).slice(this.#first)) resolve(false);
    this.#first = 0;
  }

  readonly #wake = (): void => {
    const now = this.#clock.now();
    while (this.#first < this.#waiters.length && this.#waiters[this.#first]!.due <= now)
      this.#waiters[this.#first++]!.resolve(true);
    if (this.#first === this.#waiters.length) {
      this.#waiters.length = 0;
      this.#first = 0;
      this.#cancel = undefined;
      return;
    }
    // Woken workers are removed in batches, since each removal moves the others.
    if (this.#first >= REMOVAL_BATCH) this.#first -= this.#waiters.splice(0, this.#first).length;
    this.#cancel = this.#clock.at(this.#waiters[this.#first]!.due, this.#wake);
  };
}

const REMOVAL_BATCH = 256;
