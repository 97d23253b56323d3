/** Promises that are settled by other code. */

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

/** Calls that wait for the same write. They share promises, which are created on demand. */
export class Group {
  #committed: Deferred | undefined;
  #synced: Deferred | undefined;

  /** True if a call requires a sync of the group, whatever the durability. */
  get wantsSync(): boolean {
    return this.#synced !== undefined;
  }

  /** Settles when the group has the log's durability. */
  committed(): Promise<void> {
    return (this.#committed ??= new Deferred()).promise;
  }

  /** Settles when the group is synced. */
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
