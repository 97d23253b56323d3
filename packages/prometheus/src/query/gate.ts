/** Bounds how many queries run at once. */
import { PrometheusError } from "../errors.js";

/** The most queries that wait. */
const MAX_WAITING = 1000;

/** Lets a number of tasks run at once. The others wait, in the order of their arrival. */
export class Gate {
  readonly #most: number;
  readonly #waiting = new Set<() => void>();
  #running = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** The number of tasks that run. */
  get running(): number {
    return this.#running;
  }

  /** The number of tasks that wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Runs a task when it is its turn. A task whose signal aborts before is not started, and the promise never ends: the caller must look
   * at the signal. Throws `ERR_TIMEOUT` if too many tasks wait.
   */
  async run<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#most) await this.#turn(signal);
    else this.#running++;
    try {
      return await task();
    } finally {
      this.#leave();
    }
  }

  /** Resolves when a place is free, which then belongs to the caller. */
  #turn(signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= MAX_WAITING)
      throw new PrometheusError("ERR_TIMEOUT", `${this.#running} queries run and ${MAX_WAITING} wait`);
    return new Promise((resolve) => {
      const start = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.delete(start);
      };
      this.#waiting.add(start);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#running--;
    else {
      this.#waiting.delete(next);
      next();
    }
  }
}
