/** A WebSocket of the package ws: it can be paused, pings, and tells when bytes have left. */
import { randomBytes } from "node:crypto";
import type { RawData, WebSocket } from "ws";
import type { Wire, WireEvents } from "../wire.js";

/** Memory of a waiting message in ws besides its bytes, as measured: entries in two queues, a header, a Uint8Array and its buffer. */
const OVERHEAD = 400;

/** The wire of such a WebSocket. */
export class WsWire implements Wire {
  readonly canPause = true;
  readonly #socket: WebSocket;
  readonly #events: WireEvents;
  #answers = 0;
  #messages = 0;
  /** How many of them have left: each is reported, but the reports of one turn come after it. */
  #reported = 0;
  #left = 0;
  #isPinging = false;
  /** The content of this end's pings. A pong with it comes from a peer that has read one; others come from anyone, unasked. */
  readonly #token = randomBytes(8);
  /** The content of the peer's last ping. */
  #heard: Buffer | undefined;

  constructor(socket: WebSocket, events: WireEvents) {
    this.#socket = socket;
    this.#events = events;
    socket.binaryType = "nodebuffer";
    socket.on("open", () => events.opened());
    socket.on("message", (data: RawData, isBinary: boolean) => {
      if (isBinary) events.message(data as Buffer);
      else events.text();
    });
    socket.on("ping", (data: Buffer) => {
      // A copy: the content is a view of all that came with it.
      this.#heard = Buffer.from(data);
      events.alive();
    });
    socket.on("pong", (data: Buffer) => {
      if (this.#token.equals(data)) events.alive();
    });
    socket.on("error", (error: Error) => events.failed(error));
    socket.on("close", (code: number, reason: Buffer) => events.ended(code, reason.toString()));
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  get unsentBytes(): number {
    const bytes = this.bufferedBytes;
    return bytes === 0 ? 0 : bytes + (this.#messages - Math.max(this.#left, this.#reported)) * OVERHEAD;
  }

  get pendingBytes(): number {
    // Node writes all that waits in one go, and counts it as one: only libuv knows how much of it has left.
    const { _socket: socket } = this.#socket as unknown as {
      _socket?: { _handle?: { writeQueueSize?: number } | null };
    };
    return socket?._handle?.writeQueueSize ?? 0;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === 1;
  }

  send(bytes: Uint8Array): void {
    // A message that cannot be sent is not an error of its own: the socket closes.
    if (this.isOpen) this.#put(bytes, this.#sent);
  }

  answer(bytes: Uint8Array): number {
    if (!this.isOpen) return 0;
    this.#put(bytes, this.#answered);
    return ++this.#answers;
  }

  #put(bytes: Uint8Array, left: (error?: Error | null) => void): void {
    this.#messages++;
    this.#socket.send(bytes, left);
    if (this.bufferedBytes === 0) this.#left = this.#messages;
  }

  watch(): void {}

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  readonly ping = (): void => {
    if (!this.isOpen || this.#isPinging) return;
    this.#isPinging = true;
    this.#socket.ping(this.#token, undefined, () => {
      this.#isPinging = false;
    });
  };

  beat(): void {
    if (this.isOpen && this.bufferedBytes === 0) this.#socket.pong(this.#heard, undefined, () => {});
  }

  close(code: number, reason: string): void {
    const close = (): void => this.#socket.close(code, reason);
    // From its own call of close on, ws gives the peer a fixed time, however much is still to be sent. A pong is the last that leaves.
    if (this.isOpen && this.bufferedBytes > 0) this.#socket.pong(undefined, undefined, close);
    else close();
  }

  terminate(): void {
    this.#socket.terminate();
  }

  readonly #sent = (error?: Error | null): void => {
    this.#reported++;
    if (error === undefined || error === null) this.#events.sent();
  };

  readonly #answered = (error?: Error | null): void => {
    this.#answers--;
    this.#sent(error);
  };
}
