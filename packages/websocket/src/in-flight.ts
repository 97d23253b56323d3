/**
 * Bytes in flight to a peer that cannot pause its socket, such as a page. While a page is busy, its browser reads from the network without
 * a limit. A page that has computed for a second would then find more bytes of messages than its receive queue may hold. Pings between the
 * messages measure the bytes in flight. They are messages too, not pings of the protocol: the page itself answers them in order, so all
 * messages before an answered ping have arrived.
 */
import { OVERHEAD } from "./receive-queue.js";

/** Bytes between two pings. */
const PING_INTERVAL_BYTES = 0x10000;

/** Counts the bytes in flight of one connection, as the peer's receive queue counts them. */
export class InFlightBytes {
  /** True after the peer's signal PAUSE, until RESUME: this end must not send. */
  isStopped = false;
  /** For each unanswered ping: the bytes between it and the ping before. */
  readonly #pings: number[] = [];
  #sincePing = 0;
  #unconfirmed = 0;

  /** Counts a message. Returns true if a ping must follow. */
  add(bytes: number): boolean {
    this.#sincePing += bytes + OVERHEAD;
    return this.#sincePing >= PING_INTERVAL_BYTES;
  }

  /** Records that a ping was sent. */
  pinged(): void {
    this.#pings.push(this.#sincePing);
    this.#unconfirmed += this.#sincePing;
    this.#sincePing = 0;
  }

  /** Records the answer to the oldest ping. Ignores answers without a ping. */
  confirmed(): void {
    this.#unconfirmed -= this.#pings.shift() ?? 0;
  }

  /** Returns true if sending must wait: more than `limit` bytes are unconfirmed, or the peer has requested a pause. */
  isAbove(limit: number): boolean {
    return this.isStopped || this.#unconfirmed > limit;
  }
}
