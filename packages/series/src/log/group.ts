/** Promises that are settled from outside. */

/** One promise. */
export class Deferred {
  readonly promise: Promise<void>;
  #resolve!: () => void;
  #reject!: (error: unknown) => void;

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  resolve(): void {
    this.#resolve();
  }

  reject(error: unknown): void {
    this.#reject(error);
  }
}

/** Calls that wait for the same write. They share a promise, which is made when the first of them asks. */
export class Group {
  #committed: Deferred | undefined;
  #synced: Deferred | undefined;

  /** True if a call wants the group to be on the medium, whatever the log promises. */
  get wantsSync(): boolean {
    return this.#synced !== undefined;
  }

  /** Settles when the group is as durable as the log promises. */
  committed(): Promise<void> {
    return (this.#committed ??= new Deferred()).promise;
  }

  /** Settles when the group is on the medium. */
  synced(): Promise<void> {
    return (this.#synced ??= new Deferred()).promise;
  }

  resolve(): void {
    this.#committed?.resolve();
    this.#synced?.resolve();
  }

  reject(error: unknown): void {
    this.#committed?.reject(error);
    this.#synced?.reject(error);
  }
}
