/** Writes pages in batches, with limits of bytes and of concurrent batches. */
import type { Operation, Store } from "../drivers/driver.js";

/** Maximum bytes of a batch (docs/series-format.md, section 4). */
const BATCH_BYTES = 256 * 1024;
/** Maximum number of concurrent batches, besides the one that is being filled. */
const MAX_UNDER_WAY = 2;

/** Collects operations. Operations of one `add` are in one batch: they take effect together. */
export class PageBatches {
  readonly #store: Store;
  #operations: Operation[] = [];
  #bytes = 0;
  readonly #underWay = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | null = null;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Adds operations that belong together. If it returns a promise, await it before the next call. */
  add(operations: readonly Operation[]): Promise<void> | undefined {
    for (const operation of operations) {
      this.#operations.push(operation);
      this.#bytes += operation.key.length + (operation.value?.length ?? 0) + 16;
    }
    return this.#bytes < BATCH_BYTES ? undefined : this.#send();
  }

  async #send(): Promise<void> {
    while (this.#underWay.size >= MAX_UNDER_WAY) await Promise.race(this.#underWay);
    this.#throwFailure();
    const operations = this.#operations;
    this.#operations = [];
    this.#bytes = 0;
    const done: Promise<void> = this.#store.batch(operations, { sync: false }).then(
      () => void this.#underWay.delete(done),
      (error: unknown) => {
        this.#failure ??= { error };
        this.#underWay.delete(done);
      },
    );
    this.#underWay.add(done);
  }

  /** Writes the remaining operations, with `last` in the last batch, and waits until all batches are synced. */
  async finish(last: readonly Operation[]): Promise<void> {
    await Promise.all(this.#underWay);
    this.#throwFailure();
    await this.#store.batch([...this.#operations, ...last], { sync: true });
    this.#operations = [];
    this.#bytes = 0;
  }

  /** Waits for running batches, after a failure elsewhere. */
  async settle(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }
}
