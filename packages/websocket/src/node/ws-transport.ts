/** A WebSocket of the package ws: it can be paused and can ping, and each write has a callback. */
import { randomBytes } from "node:crypto";
import type { RawData, WebSocket } from "ws";
import type { Transport, TransportEvents } from "../transport.js";

/** Memory of an unsent message in ws besides its bytes, as measured: entries in two queues, a header, a Uint8Array and its buffer. */
const OVERHEAD = 400;

/** A WebSocket of ws as a transport. */
export class WsTransport implements Transport {
  readonly canPause = true;
  readonly #socket: WebSocket;
  readonly #events: TransportEvents;
  #unsentPongs = 0;
  #messages = 0;
  /** Messages whose callback has run. Callbacks of one event loop turn run after it. */
  #reported = 0;
  /** The count of messages when the buffer was last empty. */
  #left = 0;
  #isPinging = false;
  /** The payload of this end's pings. Only a peer that has read a ping can send a pong with it. */
  readonly #token = randomBytes(8);
  /** The payload of the peer's last ping. */
  #lastPing: Buffer | undefined;

  constructor(socket: WebSocket, events: TransportEvents) {
    this.#socket = socket;
    this.#events = events;
    socket.binaryType = "nodebuffer";
    socket.on("open", () => events.opened());
    socket.on("message", (data: RawData, isBinary: boolean) => {
      if (isBinary) events.message(data as Buffer);
      else events.text();
    });
    socket.on("ping", (data: Buffer) => {
      // A copy: the payload is a view of a larger buffer.
      this.#lastPing = Buffer.from(data);
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
    // Node passes all waiting messages to libuv in one write, and reports only its end. No public property shows the progress, so this one
    // is private to ws and Node. Without it, 0: progress is then the end of each write.
    const { _socket: socket } = this.#socket as unknown as {
      _socket?: { _handle?: { writeQueueSize?: number } | null };
    };
    return socket?._handle?.writeQueueSize ?? 0;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === 1;
  }

  send(bytes: Uint8Array): void {
    // A failed write needs no handler: the socket closes.
    if (this.isOpen) this.#put(bytes, this.#sent);
  }

  answer(bytes: Uint8Array): number {
    if (!this.isOpen) return 0;
    this.#put(bytes, this.#answered);
    return ++this.#unsentPongs;
  }

  #put(bytes: Uint8Array, left: (error?: Error | null) => void): void {
    this.#messages++;
    this.#socket.send(bytes, left);
    if (this.bufferedBytes === 0) this.#left = this.#messages;
  }

  reportSent(): void {}

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

  repeatPong(): void {
    if (this.isOpen && this.bufferedBytes === 0) this.#socket.pong(this.#lastPing, undefined, () => {});
  }

  close(code: number, reason: string): void {
    const close = (): void => this.#socket.close(code, reason);
    // ws starts its own timeout when close is called, however much is still unsent. So a pong is sent first: its callback shows that all
    // earlier messages have left.
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
    this.#unsentPongs--;
    this.#sent(error);
  };
}
