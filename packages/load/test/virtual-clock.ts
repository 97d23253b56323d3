/** A clock that stands still until everything that could run has run, and then goes on to the next event. */
import type { Clock } from "../src/run/clock.js";

interface Event {
  readonly time: number;
  readonly order: number;
  readonly callback: () => void;
}

export class VirtualClock implements Clock {
  #now = 0;
  #events: Event[] = [];
  #order = 0;

  now(): number {
    return this.#now;
  }

  at(time: number, callback: () => void): () => void {
    const event = { time: Math.max(time, this.#now), order: this.#order++, callback };
    this.#events.push(event);
    return () => {
      this.#events = this.#events.filter((other) => other !== event);
    };
  }

  later(milliseconds: number, callback: () => void): () => void {
    return this.at(this.#now + milliseconds, callback);
  }

  turn(callback: () => void): void {
    this.at(this.#now, callback);
  }

  /** A promise of an operation that takes so long. */
  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.later(milliseconds, resolve));
  }

  /** Waits until `work` has ended, with the time that passes only here. */
  async run<Result>(work: Promise<Result>): Promise<Result> {
    let isOver = false;
    const ended = work.finally(() => {
      isOver = true;
    });
    ended.catch(() => {});
    for (;;) {
      // All promises that can settle have settled when an immediate runs.
      await new Promise((resolve) => setImmediate(resolve));
      if (isOver) return ended;
      const next = this.#events.reduce<Event | undefined>(
        (first, event) =>
          first === undefined || event.time < first.time || (event.time === first.time && event.order < first.order)
            ? event
            : first,
        undefined,
      );
      if (next === undefined) throw new Error("nothing is left that could happen, but the work has not ended");
      this.#events = this.#events.filter((event) => event !== next);
      this.#now = next.time;
      next.callback();
    }
  }
}
