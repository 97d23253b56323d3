/** Back-pressure for senders: a promise that is kept when there is room for more. */

/** One promise for all that wait at a time. A sender that does not wait never causes an unhandled rejection. */
export class Room {
  #promise: Promise<void> | undefined;
  #resolve: (() => void) | undefined;
  #reject: ((error: unknown) => void) | undefined;

  get isAwaited(): boolean {
    return this.#promise !== undefined;
  }

  wait(): Promise<void> {
    if (this.#promise === undefined) {
      this.#promise = new Promise((resolve, reject) => {
        this.#resolve = resolve;
        this.#reject = reject;
      });
      this.#promise.catch(() => {});
    }
    return this.#promise;
  }

  open(): void {
    this.#resolve?.();
    this.#promise = undefined;
  }

  fail(error: unknown): void {
    this.#reject?.(error);
    this.#promise = undefined;
  }
}

/** A rejected promise that nobody must await. */
export function rejected(error: unknown): Promise<never> {
  const promise = Promise.reject(error);
  promise.catch(() => {});
  return promise;
}
