/** Promises of calls that wait for the same event. */

/** One promise for all callers that wait. A caller that does not await it causes no unhandled rejection. */
export class SharedPromise {
  #promise: Promise<void> | undefined;
  #resolve: (() => void) | undefined;
  #reject: ((error: unknown) => void) | undefined;

  /** True while a caller waits. */
  get isPending(): boolean {
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

  resolve(): void {
    this.#resolve?.();
    this.#promise = undefined;
  }

  reject(error: unknown): void {
    this.#reject?.(error);
    this.#promise = undefined;
  }
}

/** Returns a rejected promise that causes no unhandled rejection. */
export function rejected(error: unknown): Promise<never> {
  const promise = Promise.reject(error);
  promise.catch(() => {});
  return promise;
}
