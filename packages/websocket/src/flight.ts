/**
 * What is on its way to a peer that cannot pause, as a page. A browser takes messages from the network without bound while its page is
 * busy, so a page that computes for a second would find more than it may keep. Pings in between are answered by the page itself, in
 * their order: what was sent before an answered ping has arrived.
 */
import { OVERHEAD } from "./unread.js";

/** A ping follows so many bytes. */
const MARK_BYTES = 0x10000;

/** Counts what one connection has sent, as the peer's queue counts it, and its peer has not confirmed. */
export class Flight {
  /** True while the peer asks for nothing more. */
  isStopped = false;
  /** What was sent before each ping that is not answered, since the ping before it. */
  readonly #marks: number[] = [];
  #sinceMark = 0;
  #unconfirmed = 0;

  /** Counts a message. Returns true if a ping must follow. */
  add(bytes: number): boolean {
    this.#sinceMark += bytes + OVERHEAD;
    return this.#sinceMark >= MARK_BYTES;
  }

  /** A ping is sent. */
  mark(): void {
    this.#marks.push(this.#sinceMark);
    this.#unconfirmed += this.#sinceMark;
    this.#sinceMark = 0;
  }

  /** A ping is answered. A peer that answers more than it was asked gains nothing. */
  confirm(): void {
    this.#unconfirmed -= this.#marks.shift() ?? 0;
  }

  /** True if the peer must say something before more is sent: more than `most` bytes are on their way, or it asks for nothing. */
  isFull(most: number): boolean {
    return this.isStopped || this.#unconfirmed > most;
  }
}
