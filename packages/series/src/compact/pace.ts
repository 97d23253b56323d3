/** Limits how fast a background job writes, so that it leaves the disk and the processor to others. */

import { setTimeout as sleep } from "node:timers/promises";
import type { LogFile } from "../log/file-system.js";

/** The longest sleep: a job is hurried after at most this. */
const NAP = 50;

/** The clock of a pace: tests put another one in its place. */
export interface PaceClock {
  now(): number;
  sleep(milliseconds: number): Promise<unknown>;
}

const CLOCK: PaceClock = {
  now: () => performance.now(),
  // The process stays alive during a nap: a call may wait for the job.
  sleep: (milliseconds) => sleep(milliseconds),
};

/** See above. */
export class Pace {
  readonly #bytesPerSecond: number;
  readonly #isHurried: () => boolean;
  readonly #clock: PaceClock;
  /** When the bytes so far should have been written. */
  #due: number;

  /** `isHurried`: returns true while others wait for the job. It is not slowed then. */
  constructor(bytesPerSecond: number, isHurried: () => boolean, clock = CLOCK) {
    this.#bytesPerSecond = bytesPerSecond;
    this.#isHurried = isHurried;
    this.#clock = clock;
    this.#due = clock.now();
  }

  /** Returns a file whose writes keep the pace. */
  file(file: LogFile): LogFile {
    return {
      write: async (bytes, position) => {
        await file.write(bytes, position);
        await this.#wrote(bytes.length);
      },
      truncate: (length) => file.truncate(length),
      datasync: () => file.datasync(),
      close: () => file.close(),
    };
  }

  async #wrote(bytes: number): Promise<void> {
    const { now } = this.#clock;
    this.#due = Math.max(this.#due, now()) + (1000 * bytes) / this.#bytesPerSecond;
    for (let left = this.#due - now(); left > 0 && !this.#isHurried(); left = this.#due - now())
      await this.#clock.sleep(Math.min(left, NAP));
    // Time that was not slept is not made up for.
    this.#due = Math.min(this.#due, now());
  }
}
