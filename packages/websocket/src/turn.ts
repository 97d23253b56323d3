/**
 * Gives the event loop a turn. While the system takes all that is written, a sender that awaits each `send` would otherwise keep the
 * process for itself: nothing would be read, and nobody else served.
 */

/** How much may be sent in one turn: a few milliseconds of small messages. */
const TURN_BYTES = 0x40000;
/** What a message costs beside its bytes. */
const OVERHEAD = 64;

/** Counts what one connection sends. */
export class Turn {
  /** True when so much was sent that the event loop must have a turn first. */
  isOver = false;
  readonly #next: () => void;
  #bytes = 0;

  /** `next` is called after that turn. */
  constructor(next: () => void) {
    this.#next = next;
  }

  add(bytes: number): void {
    this.#bytes += bytes + OVERHEAD;
    if (this.isOver || this.#bytes < TURN_BYTES) return;
    this.isOver = true;
    const begin = (): void => {
      this.isOver = false;
      this.#bytes = 0;
      this.#next();
    };
    // Node's is not delayed as timers are.
    if (typeof setImmediate === "function") setImmediate(begin);
    else setTimeout(begin);
  }
}
