/** The clock of a run, in milliseconds. Tests use a virtual clock, so that their results do not depend on the machine. */
export interface Clock {
  now(): number;
  /** Calls back once, asynchronously, at this time or a little later. Returns a function that cancels. */
  at(time: number, callback: () => void): () => void;
  /** Calls back once, at least `milliseconds` later. Less precise than `at`. Returns a function that cancels. */
  later(milliseconds: number, callback: () => void): () => void;
  /** Calls back in the next iteration of the event loop. */
  nextIteration(callback: () => void): void;
}

/** Longer waits use a timer, shorter ones immediates: a timer is up to a millisecond late. */
const TIMER_MS = 3;
/** A timer ends this many milliseconds before the time; immediates wait for the rest. */
const EARLY_MS = 2;

/** The longest delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The clock of the process. */
export class SystemClock implements Clock {
  readonly #activity: () => number;
  /** Milliseconds of busy waiting: the CPU was busy, but not with operations. */
  spinMs = 0;

  /** The result of `activity` changes whenever an operation starts or ends. */
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
      if (this.#activity() === activity && now > spinningSince) this.spinMs += now - spinningSince;
      if (now >= time) callback();
      else schedule(now);
    };
    const schedule = (now: number) => {
      spinningSince = NaN;
      if (time - now > TIMER_MS) {
        timer = setTimeout(wait, Math.min(time - now - EARLY_MS, MAX_TIMER_MS));
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

  nextIteration(callback: () => void): void {
    setImmediate(callback);
  }
}
