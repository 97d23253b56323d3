/** Reads that find all in memory would never let timers and sockets have their turn: after some of them, all wait for it. */

/** Reads before the event loop has its turn: about half a millisecond of short ones. */
const MAX_READS = 128;

/** Counts the reads of a store. */
export class FairTurns {
  #reads = 0;
  /** Resolves when the event loop has had its turn; undefined while no read waits for it. */
  #next: Promise<void> | undefined;

  /** To be called by each read. Undefined, or a promise to wait for. */
  take(): Promise<void> | undefined {
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
