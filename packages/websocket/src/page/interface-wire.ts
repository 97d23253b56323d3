/** Anything with the interface of WebSocket: in pages and workers, Deno, Bun, and Node's own. It cannot be paused and cannot ping. */
import { OVERHEAD } from "../unread.js";
import type { Wire, WireEvents } from "../wire.js";

/** What is used of a WebSocket. */
export interface WebSocketLike {
  binaryType: string;
  readonly bufferedAmount: number;
  readonly readyState: number;
  send(data: Uint8Array<ArrayBuffer>): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: string, listener: (event: { readonly type: string }) => void): void;
  removeEventListener(type: string, listener: (event: { readonly type: string }) => void): void;
}

/** Nothing tells when bytes have left: they are looked at so often while somebody waits. */
const LOOK_MS = 10;

/** Messages are counted in blocks of this many. */
const BLOCK = 64;

/** After an error a close event must follow. Node 22 has none for a connection that is refused. */
const CLOSE_MS = 100;
const EVENTS = ["open", "message", "error", "close"];

/** The wire of such a WebSocket. */
export class InterfaceWire implements Wire {
  readonly canPause = false;
  readonly ping = undefined;
  readonly #socket: WebSocketLike;
  readonly #events: WireEvents;
  #isEnded = false;
  #below = 0;
  #seen = 0;
  #sentBytes = 0;
  /** For each answer that has not left: the bytes that were sent up to its end. */
  readonly #answers: number[] = [];
  /** The same for each block of messages. */
  readonly #blocks: number[] = [];
  #inBlock = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(socket: WebSocketLike, events: WireEvents) {
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
    return buffered + this.#waiting(this.#blocks, buffered) * BLOCK * OVERHEAD;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === 1;
  }

  send(bytes: Uint8Array<ArrayBuffer>): void {
    // Messages after the end are counted, but go nowhere: the connection learns of the end by its event.
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
    this.#answers.push(this.#sentBytes);
    return this.#waiting(this.#answers, this.bufferedBytes);
  }

  /** How many of these places in what was sent have not left. The others are removed. */
  #waiting(places: number[], buffered: number): number {
    while (places[0]! <= this.#sentBytes - buffered) places.shift();
    return places.length;
  }

  watch(below: number): void {
    this.#below = below;
    if (this.#timer !== undefined || this.#isEnded) return;
    this.#seen = this.bufferedBytes;
    this.#look();
  }

  pause(): void {}
  resume(): void {}

  close(code: number, reason: string): void {
    // Pages may only send 1000 and codes from 3000: 1007 becomes 4007.
    this.#socket.close(code === 1000 || code >= 3000 ? code : 3000 + code, reason);
  }

  terminate(): void {
    if (this.#isEnded) return;
    // It cannot be cut. The code tells the peer that this is not an ordinary end.
    if (this.#socket.readyState < 2) this.#socket.close(4001);
    this.#end(1006, "");
  }

  readonly #listener = (event: { readonly type: string }): void => {
    if (event.type === "open") this.#events.opened();
    else if (event.type === "message") this.#message((event as unknown as { data: unknown }).data);
    else if (event.type === "error") setTimeout(() => this.#end(1006, ""), CLOSE_MS);
    else {
      const { code, reason } = event as unknown as { code: number; reason: string };
      // Deno says 0 for a connection that is refused.
      this.#end(code === 0 ? 1006 : code, reason);
    }
  };

  #message(data: unknown): void {
    if (data instanceof ArrayBuffer) this.#events.message(new Uint8Array(data));
    else this.#events.text();
  }

  #look(): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const buffered = this.bufferedBytes;
      const wasSent = buffered < this.#seen;
      this.#seen = buffered;
      const isBelow = this.unsentBytes <= this.#below;
      if (!isBelow && !this.#isEnded) this.#look();
      if (wasSent || isBelow) this.#events.sent();
    }, LOOK_MS);
  }

  #end(code: number, reason: string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearTimeout(this.#timer);
    for (const type of EVENTS) this.#socket.removeEventListener(type, this.#listener);
    this.#events.ended(code, reason);
  }
}
