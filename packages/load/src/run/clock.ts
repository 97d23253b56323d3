/** The time of a run, in milliseconds. Tests have a clock of their own, so that no noise decides. */
export interface Clock {
  now(): number;
  /** Calls back once, at this time or a little later, never before it has returned. Returns how to cancel. */
  at(time: number, callback: () => void): () => void;
  /** Calls back once, at least `milliseconds` later and at any time after. Returns how to cancel. */
  later(milliseconds: number, callback: () => void): () => void;
  /** Calls back in the next turn of the event loop. */
  turn(callback: () => void): void;
}

/** Waits above this are a timer, shorter ones immediates: a timer is up to a millisecond late. */
const TIMER_MS = 3;
/** A timer ends so many milliseconds early, and immediates take the rest. */
const EARLY_MS = 2;

/** The longest time that a timer of Node can wait. */
const MOST_TIMER_MS = 2 ** 31 - 1;

/** The clock of the process. */
export class SystemClock implements Clock {
  readonly #activity: () => number;
  /** Milliseconds in which immediates only waited. The processor was busy, but not with operations. */
  spun = 0;

  /** `activity` changes whenever an operation begins or ends. */
  constructor(activity: () => number = () => 0) {
    this.#activity = activity;
  }

  now(): number {
    return performance.now();
  }

  at(time: number, callback: () => void): () => void {
    let timer: NodeJS.Timeout | undefined;
    let immediate: NodeJS.Immediate | undefined;
    let spinningSince = NaN;
    let activity = 0;
    const wait = () => {
      const now = this.now();
      if (this.#activity() === activity && now > spinningSince) this.spun += now - spinningSince;
      if (now >= time) callback();
      else schedule(now);
    };
    const schedule = (now: number) => {
      spinningSince = NaN;
      if (time - now > TIMER_MS) {
        timer = setTimeout(wait, Math.min(time - now - EARLY_MS, MOST_TIMER_MS));
        return;
      }
      spinningSince = now;
      activity = this.#activity();
      immediate = setImmediate(wait);
    };
    schedule(this.now());
    return () => {
      clearTimeout(timer);
      clearImmediate(immediate);
    };
  }

  later(milliseconds: number, callback: () => void): () => void {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  }

  turn(callback: () => void): void {
    setImmediate(callback);
  }
}
