/**
 * Yields to the event loop between sends. While the system accepts all writes immediately, a sender that awaits each `send` would otherwise
 * never yield: the process would read nothing and serve no other connection.
 */

/** Bytes that may be sent before a yield: a few milliseconds of small messages. */
const SLICE_BYTES = 0x40000;
/** Cost of a message besides its bytes. */
const OVERHEAD = 64;

/** Counts the bytes that one connection sends in a time slice. */
export class SendSlice {
  /** True when the slice is used up: the event loop must run before the next send. */
  isOver = false;
  readonly #onNext: () => void;
  #bytes = 0;

  /** `onNext` is called when the next slice begins. */
  constructor(onNext: () => void) {
    this.#onNext = onNext;
  }

  add(bytes: number): void {
    this.#bytes += bytes + OVERHEAD;
    if (this.isOver || this.#bytes < SLICE_BYTES) return;
    this.isOver = true;
    const begin = (): void => {
      this.isOver = false;
      this.#bytes = 0;
      this.#onNext();
    };
    // Unlike timers, setImmediate has no minimum delay.
    if (typeof setImmediate === "function") setImmediate(begin);
    else setTimeout(begin);
  }
}
