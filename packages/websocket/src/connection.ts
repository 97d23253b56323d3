/// <reference lib="esnext.disposable" preserve="true" />
import { invalidArgument, MoonpackError } from "moonpack/bytes";
import { aborted, type Closed, checkClose, isClosed, WebSocketError } from "./errors.js";
import { Flow } from "./flow.js";
import { Inbox } from "./inbox.js";
import { codecOf, encodeKind, type Kinds, type Message, signalOf, type ValueOf } from "./kinds.js";
import { Life } from "./life.js";
import type { Settings } from "./options.js";
import { Room, rejected } from "./room.js";
import { Ticks } from "./ticks.js";
import type { Wire, WireEvents } from "./wire.js";
import { closeText, errorOfText, errorOfWire, isOrdinary } from "./wire-errors.js";

/**
 * A WebSocket that carries values. Made by `connect`, `attach` and `serve`.
 *
 * An iteration ends when the peer has closed the connection, and throws the error of a connection that failed. `break` leaves the
 * connection open; `close` it, or declare it with `await using`.
 *
 * @example
 * for await (const { value } of connection) await connection.send(value);
 */
export class Connection<K extends Kinds = Kinds> {
  readonly #settings: Settings;
  readonly #wire: Wire;
  readonly #inbox: Inbox<K>;
  readonly #opening = new Room();
  readonly #life = new Life();
  readonly #flow: Flow;
  readonly #patience = new Ticks();
  readonly #closed: Promise<Closed>;
  #settle: (closed: Closed) => void = () => {};
  #error: MoonpackError | undefined;
  /** What senders get from the end on. */
  #endError: MoonpackError | undefined;
  #state: "opening" | "open" | "closing" | "closed" = "opening";
  #onAbort: (() => void) | undefined;

  /** @internal */
  constructor(settings: Settings, wire: (events: WireEvents) => Wire) {
    this.#settings = settings;
    this.#closed = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#inbox = new Inbox(settings, {
      behind: () => this.#flow.setBehind(true),
      caughtUp: () => this.#flow.setBehind(false),
      failed: (error, closeCode) => this.#fail(error, closeCode),
    });
    this.#wire = wire({
      opened: () => this.#opened(),
      message: (bytes) => this.#arrived(bytes),
      text: () => this.#fail(errorOfText(), 1003),
      alive: () => this.#life.sign(),
      sent: () => {
        this.#patience.restart();
        this.#flow.progressed();
      },
      failed: (error) => this.#failed(error),
      ended: (code, reason) => this.#ended(code, reason),
    });
    this.#flow = new Flow(this.#wire, this.#life, settings, {
      flooded: (error) => this.#fail(error, 1008),
      overrun: (error) => this.#end(error),
    });
  }

  /** Resolves when the connection is made. @internal */
  async opened(): Promise<this> {
    const { signal, openWithinMs } = this.#settings;
    if (signal !== undefined) {
      this.#onAbort = () => this.#end(aborted(signal));
      if (signal.aborted) this.#onAbort();
      else signal.addEventListener("abort", this.#onAbort, { once: true });
    }
    if (this.#error !== undefined) throw this.#error;
    if (this.#wire.isOpen) this.#opened();
    else {
      const late = new MoonpackError("ERR_WEBSOCKET_TIMEOUT", `the connection was not made within ${openWithinMs} ms`);
      const timer = setTimeout(() => this.#end(late), openWithinMs);
      await this.#opening.wait().finally(() => clearTimeout(timer));
    }
    return this;
  }

  /** True until either end closes the connection. */
  get isOpen(): boolean {
    return this.#state === "open" && this.#error === undefined;
  }

  /** Resolves when the connection is closed, with the code, the reason, and the error if it failed. Never rejects. */
  get closed(): Promise<Closed> {
    return this.#closed;
  }

  /** Bytes that were sent and have not left the process. */
  get bufferedBytes(): number {
    return this.#wire.bufferedBytes;
  }

  /** About the bytes that messages take which have come and were not read. */
  get unreadBytes(): number {
    return this.#inbox.bytes;
  }

  /**
   * Sends a value as MessagePack. It is encoded before the call returns, so it may be changed then.
   * The promise is kept when there is room for more: await it before the next message, or memory grows while the peer is slow, up to
   * `maxUnsentBytes`, which ends the connection. It is rejected if the connection is closed; a caller that does not await it causes
   * no unhandled rejection.
   * Throws an `EncodeError` with the path of a value that MessagePack cannot hold; nothing is sent then.
   */
  send(value: unknown): Promise<void> {
    return this.sendBytes(this.#settings.encoder.encode(value));
  }

  /** The same with the codec of a kind. Throws its errors, and `ERR_INVALID_ARGUMENT` for a kind that is not registered. */
  sendKind<N extends keyof K & number>(kind: N, value: ValueOf<K, N>): Promise<void> {
    return this.sendBytes(encodeKind(kind, codecOf(this.#settings, kind), value as never));
  }

  /**
   * Sends a message that is encoded already, for many connections: the result of `encode` of `moonpack`, or of `encodeKind`. The
   * bytes must not change afterwards.
   */
  sendBytes(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    if (!(bytes instanceof Uint8Array)) throw invalidArgument("bytes must be a Uint8Array");
    if (!this.isOpen) return rejected(this.#endError);
    return this.#flow.send(bytes);
  }

  /**
   * Resolves with the next message, or undefined when the connection is closed. Rejects with the error of a connection that failed,
   * as a `DecodeError` for bytes that are not valid. Several calls get one message each.
   */
  receive(): Promise<Message<K> | undefined> {
    const message = this.#inbox.take();
    if (message !== undefined) return message;
    if (this.#error !== undefined) return Promise.reject(this.#error);
    if (this.#state === "closing" || this.#state === "closed") return Promise.resolve(undefined);
    return this.#inbox.wait();
  }

  /** Iterates over messages as they come. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Message<K>, void, undefined> {
    for (let message = await this.receive(); message !== undefined; message = await this.receive()) yield message;
  }

  /**
   * Closes the connection and waits until the peer has confirmed that it got all that was sent. Messages that came before can still
   * be read. Resolves with the code 1006 if the peer does not confirm while `closeWithinMs` pass in which nothing is sent.
   * Throws `ERR_INVALID_ARGUMENT` for a code that is not 1000 or 3000 to 4999, or a reason of more than 123 bytes.
   */
  close(code = 1000, reason = ""): Promise<Closed> {
    checkClose(code, reason);
    this.#close(code, reason);
    return this.#closed;
  }

  /** Ends the connection at once, as if it were lost. Unsent messages are dropped. */
  terminate(): void {
    this.#end(isClosed());
  }

  /** Closes the connection: for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.closeAs(1000, "");
  }

  /** Closes with a code that only the library sends. @internal */
  closeAs(code: number, reason: string): Promise<Closed> {
    this.#close(code, reason);
    return this.#closed;
  }

  /** Ends the connection at once with an error. @internal */
  abort(error: MoonpackError): void {
    this.#end(error);
  }

  /** True for the error with which this connection rejects calls since its end. @internal */
  isEndedBy(error: unknown): boolean {
    return error !== undefined && (error === this.#error || error === this.#endError);
  }

  #opened(): void {
    if (this.#state !== "opening") return;
    this.#state = "open";
    this.#opening.open();
    this.#life.start(
      this.#wire,
      this.#settings.deadAfterMs,
      () => (this.#wire.ping === undefined ? this.#flow.mark() : this.#wire.ping()),
      (error) => this.#end(error),
    );
  }

  #arrived(bytes: Uint8Array): void {
    this.#life.sign();
    if (this.#state === "closing" || this.#state === "closed" || this.#error !== undefined) return;
    const signal = signalOf(bytes);
    if (signal !== -1) return this.#flow.signalled(signal);
    this.#inbox.add(bytes);
  }

  #close(code: number, reason: string): void {
    if (this.#state === "closing" || this.#state === "closed") return;
    this.#state = "closing";
    this.#stopWaiting(this.#error ?? isClosed());
    // Before the call, during which the connection may end.
    this.#giveUpLater();
    // The peer's confirmation comes after what it has sent: it is read, and dropped.
    this.#wire.resume();
    this.#wire.close(code, reason);
    this.#wire.watch(0);
  }

  /** Ends the connection when nothing has left the process for `closeWithinMs`. The peer need not give other signs of life. */
  #giveUpLater(): void {
    this.#life.stop();
    let before = this.#wire.pendingBytes;
    this.#patience.start(this.#settings.closeWithinMs, (parts) => {
      const { pendingBytes } = this.#wire;
      if (pendingBytes !== before) this.#patience.restart();
      else if (parts >= Ticks.PARTS) this.#wire.terminate();
      before = pendingBytes;
    });
  }

  /** Closes the connection because of an error: the first one counts. What came before it can still be read. */
  #fail(error: MoonpackError, code: number): void {
    if (this.#error !== undefined || this.#state === "closing" || this.#state === "closed") return;
    this.#error = error;
    this.#close(code, error.code);
  }

  /** Ends the connection without a close message: for the peer it is lost, so that it takes what it got for no whole. */
  #end(error: MoonpackError): void {
    if (this.#error !== undefined || this.#state === "closed") return;
    this.#error = error;
    this.#inbox.clear();
    this.#state = "closing";
    this.#stopWaiting(error);
    this.#wire.terminate();
  }

  #failed(error: unknown): void {
    if (this.#error !== undefined || this.#state === "closing") return;
    this.#error = errorOfWire(error, this.#state === "opening", this.#settings.maxMessageBytes);
    if (this.#state !== "open") return;
    // The WebSocket closes by itself, and may wait for the peer.
    this.#state = "closing";
    this.#stopWaiting(this.#error);
    this.#giveUpLater();
  }

  #ended(code: number, reason: string): void {
    if (this.#state === "closed") return;
    const isOurs = this.#state === "closing";
    const wasOpening = this.#state === "opening";
    this.#state = "closed";
    if (!isOurs && (wasOpening || !isOrdinary(code)))
      this.#error ??= new WebSocketError("ERR_WEBSOCKET_CLOSED", closeText(code, reason), code, reason);
    this.#life.stop();
    this.#patience.stop();
    if (this.#onAbort !== undefined) this.#settings.signal?.removeEventListener("abort", this.#onAbort);
    this.#stopWaiting(this.#error ?? isClosed());
    this.#settle({ code, reason, error: this.#error });
  }

  #stopWaiting(error: MoonpackError): void {
    this.#endError ??= error;
    this.#inbox.end(this.#error);
    this.#flow.end(error);
    this.#opening.fail(error);
  }
}
