/** Messages that have arrived and are not read yet. They are kept as bytes, so their size is known. */

/** Memory of a queued message besides its bytes, as measured in V8: a Uint8Array and its buffer. */
export const OVERHEAD = 256;

/** A queue of messages. */
export class ReceiveQueue {
  #messages: Uint8Array[] = [];
  #next = 0;
  /** Approximate memory of the queued messages. */
  bytes = 0;

  push(message: Uint8Array): void {
    this.#messages.push(message);
    this.bytes += message.length + OVERHEAD;
  }

  /** Removes and returns the oldest message; undefined if the queue is empty. */
  shift(): Uint8Array | undefined {
    const message = this.#messages[this.#next];
    if (message === undefined) return undefined;
    this.bytes -= message.length + OVERHEAD;
    // Cleared immediately for the garbage collector; the slots are removed in blocks.
    this.#messages[this.#next++] = undefined as never;
    if (this.#next === this.#messages.length) this.clear();
    else if (this.#next >= 1024) {
      this.#messages.splice(0, this.#next);
      this.#next = 0;
    }
    return message;
  }

  clear(): void {
    this.#messages = [];
    this.#next = 0;
    this.bytes = 0;
  }
}
