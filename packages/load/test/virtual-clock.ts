/** A virtual clock: it advances to the next event when all other work has run. */
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

  nextIteration(callback: () => void): void {
    this.at(this.#now, callback);
  }

  /** Resolves after this time. */
  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.later(milliseconds, resolve));
  }

  /** Advances the time until `work` has ended, and returns its result. */
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
      if (next === undefined) throw new Error("no events are left, but the work has not ended");
      this.#events = this.#events.filter((event) => event !== next);
      this.#now = next.time;
      next.callback();
    }
  }
}
