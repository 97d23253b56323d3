/** Lets the event loop continue after a number of reads: reads from memory alone would delay timers and sockets for ever. */

/** Number of reads before the event loop continues: about half a millisecond of short ones. */
const MAX_READS = 128;

/** Counts the reads of a store. */
export class EventLoopYield {
  #reads = 0;
  /** Resolves when the event loop has continued; undefined while no read waits for it. */
  #next: Promise<void> | undefined;

  /** Must be called by each read. Returns a promise that the read must await, or undefined. */
  beforeRead(): Promise<void> | undefined {
    if (++this.#reads < MAX_READS) return undefined;
    this.#next ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#next = undefined;
        this.#reads = 0;
        resolve();
      });
    });
    return this.#next;
  }
}
