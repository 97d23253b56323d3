/** Messages that have come and were not read. They are kept as bytes, so that their size is known. */

/** Memory of a waiting message besides its bytes, as measured in V8: a Uint8Array and its buffer. */
export const OVERHEAD = 256;

/** A queue of messages. */
export class Unread {
  #messages: Uint8Array[] = [];
  #next = 0;
  /** The memory that the messages take, about. */
  bytes = 0;

  push(message: Uint8Array): void {
    this.#messages.push(message);
    this.bytes += message.length + OVERHEAD;
  }

  /** The oldest message; undefined if there is none. */
  shift(): Uint8Array | undefined {
    const message = this.#messages[this.#next];
    if (message === undefined) return undefined;
    this.bytes -= message.length + OVERHEAD;
    // Cleared at once, so that it can be collected; the places are given up in blocks.
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
