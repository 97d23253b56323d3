/** The standard WebSocket of pages, workers, Deno, Bun and Node. It cannot be paused and cannot ping. */
import { OVERHEAD } from "../receive-queue.js";
import type { Transport, TransportEvents } from "../transport.js";

/** The members of WebSocket that a connection uses. */
export interface WebSocketLike {
  /** The type of received data; it is set to `arraybuffer`. */
  binaryType: string;
  /** Bytes that are not sent yet. */
  readonly bufferedAmount: number;
  /** 0 while opening, 1 when open, 2 while closing, 3 when closed. */
  readonly readyState: number;
  /** Sends a binary message. */
  send(data: Uint8Array<ArrayBuffer>): void;
  /** Closes the WebSocket. */
  close(code?: number, reason?: string): void;
  /** Adds a listener of an event. */
  addEventListener(type: string, listener: (event: { readonly type: string }) => void): void;
  /** Removes a listener of an event. */
  removeEventListener(type: string, listener: (event: { readonly type: string }) => void): void;
}

/** Poll interval while a sender waits: `bufferedAmount` has no event. */
const POLL_MS = 10;

/** Messages are counted in blocks of this size. */
const BLOCK = 64;

/** Delay after an error event until the connection counts as closed: Node 22 emits no close event for a refused connection. */
const CLOSE_MS = 100;
const EVENTS = ["open", "message", "error", "close"];

/** A standard WebSocket as a transport. */
export class BrowserTransport implements Transport {
  readonly canPause = false;
  readonly ping = undefined;
  readonly #socket: WebSocketLike;
  readonly #events: TransportEvents;
  #isEnded = false;
  #below = 0;
  #seen = 0;
  #sentBytes = 0;
  /** For each PONG that has not left: the count of sent bytes at its end. */
  readonly #pongs: number[] = [];
  /** For each block of messages that has not left: the count of sent bytes at its end. */
  readonly #blocks: number[] = [];
  #inBlock = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(socket: WebSocketLike, events: TransportEvents) {
    this.#socket = socket;
    this.#events = events;
    socket.binaryType = "arraybuffer";
    for (const type of EVENTS) socket.addEventListener(type, this.#listener);
  }

  get bufferedBytes(): number {
    return this.#isEnded ? 0 : this.#socket.bufferedAmount;
  }

  get unsentBytes(): number {
    const buffered = this.bufferedBytes;
    return buffered + this.#unsentOf(this.#blocks, buffered) * BLOCK * OVERHEAD;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === 1;
  }

  send(bytes: Uint8Array<ArrayBuffer>): void {
    // A closing WebSocket would count the message and never send it.
    if (!this.isOpen) return;
    this.#sentBytes += bytes.length;
    if (++this.#inBlock === BLOCK) {
      this.#inBlock = 0;
      this.#blocks.push(this.#sentBytes);
    }
    this.#socket.send(bytes);
  }

  answer(bytes: Uint8Array<ArrayBuffer>): number {
    this.send(bytes);
    this.#pongs.push(this.#sentBytes);
    return this.#unsentOf(this.#pongs, this.bufferedBytes);
  }

  /** Removes the ends that have left. Returns the number of the others. */
  #unsentOf(ends: number[], buffered: number): number {
    while (ends[0]! <= this.#sentBytes - buffered) ends.shift();
    return ends.length;
  }

  reportSent(below: number): void {
    this.#below = below;
    if (this.#timer !== undefined || this.#isEnded) return;
    this.#seen = this.bufferedBytes;
    this.#poll();
  }

  pause(): void {}
  resume(): void {}

  close(code: number, reason: string): void {
    // Pages may send only 1000 and codes from 3000: 1007 becomes 4007.
    this.#socket.close(code === 1000 || code >= 3000 ? code : 3000 + code, reason);
  }

  terminate(): void {
    if (this.#isEnded) return;
    // The interface has no call that ends the connection immediately. The code marks a failure for the peer.
    if (this.#socket.readyState < 2) this.#socket.close(4001);
    this.#end(1006, "");
  }

  readonly #listener = (event: { readonly type: string }): void => {
    if (event.type === "open") this.#events.opened();
    else if (event.type === "message") this.#message((event as unknown as { data: unknown }).data);
    else if (event.type === "error") setTimeout(() => this.#end(1006, ""), CLOSE_MS);
    else {
      const { code, reason } = event as unknown as { code: number; reason: string };
      // Deno reports 0 for a refused connection.
      this.#end(code === 0 ? 1006 : code, reason);
    }
  };

  #message(data: unknown): void {
    if (data instanceof ArrayBuffer) this.#events.message(new Uint8Array(data));
    else this.#events.text();
  }

  #poll(): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const buffered = this.bufferedBytes;
      const wasSent = buffered < this.#seen;
      this.#seen = buffered;
      const isBelow = this.unsentBytes <= this.#below;
      if (!isBelow && !this.#isEnded) this.#poll();
      if (wasSent || isBelow) this.#events.sent();
    }, POLL_MS);
  }

  #end(code: number, reason: string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearTimeout(this.#timer);
    for (const type of EVENTS) this.#socket.removeEventListener(type, this.#listener);
    this.#events.ended(code, reason);
  }
}
