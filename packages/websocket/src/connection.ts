/// <reference lib="esnext.disposable" preserve="true" />
import { invalidArgument, MoonpackError } from "moonpack/bytes";
import { Backpressure } from "./backpressure.js";
import { codecOfKind, type Kinds, type Message, type ValueOf } from "./codecs.js";
import { abortedError, type Closed, checkClose, closedError, WebSocketError } from "./errors.js";
import { Heartbeat } from "./heartbeat.js";
import { Inbox } from "./inbox.js";
import { kindBytes, signalOf } from "./messages.js";
import type { Settings } from "./options.js";
import { rejected, SharedPromise } from "./shared-promise.js";
import { SteppedTimeout } from "./stepped-timeout.js";
import type { Transport, TransportEvents } from "./transport.js";
import { closeText, isNormalClose, textMessageError, transportError } from "./transport-errors.js";

/**
 * A WebSocket that carries values. `connect`, `attach` and `serve` create it.
 *
 * Iteration ends when the peer closes the connection. It throws the connection's error if it failed. `break` leaves the connection open:
 * call `close`, or declare it with `await using`.
 *
 * @example
 * for await (const { value } of connection) await connection.send(value);
 */
export class Connection<K extends Kinds = Kinds, V = unknown> {
  readonly #settings: Settings;
  readonly #transport: Transport;
  readonly #inbox: Inbox<K, V>;
  readonly #opening = new SharedPromise();
  readonly #heartbeat = new Heartbeat();
  readonly #backpressure: Backpressure;
  readonly #closeTimer = new SteppedTimeout();
  readonly #closed: Promise<Closed>;
  #settle: (closed: Closed) => void = () => {};
  #error: MoonpackError | undefined;
  /** The error with which `send` rejects after the end. */
  #endError: MoonpackError | undefined;
  #state: "opening" | "open" | "closing" | "closed" = "opening";
  #onAbort: (() => void) | undefined;

  /** @internal */
  constructor(settings: Settings, transport: (events: TransportEvents) => Transport) {
    this.#settings = settings;
    this.#closed = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#inbox = new Inbox(settings, {
      behind: () => this.#backpressure.setReaderSlow(true),
      caughtUp: () => this.#backpressure.setReaderSlow(false),
      failed: (error, closeCode) => this.#fail(error, closeCode),
    });
    this.#transport = transport({
      opened: () => this.#onOpened(),
      message: (bytes) => this.#onMessage(bytes),
      text: () => this.#fail(textMessageError(), 1003),
      alive: () => this.#heartbeat.received(),
      sent: () => {
        this.#closeTimer.restart();
        this.#backpressure.progressed();
      },
      failed: (error) => this.#onFailed(error),
      ended: (code, reason) => this.#onEnded(code, reason),
    });
    this.#backpressure = new Backpressure(this.#transport, this.#heartbeat, settings, {
      peerIgnoresPongs: (error) => this.#fail(error, 1008),
      overrun: (error) => this.#end(error),
    });
  }

  /** Resolves when the connection is open. @internal */
  async waitUntilOpen(): Promise<this> {
    const { signal, openTimeoutMs } = this.#settings;
    if (signal !== undefined) {
      this.#onAbort = () => this.#end(abortedError(signal));
      if (signal.aborted) this.#onAbort();
      else signal.addEventListener("abort", this.#onAbort, { once: true });
    }
    if (this.#error !== undefined) throw this.#error;
    if (this.#transport.isOpen) this.#onOpened();
    else {
      const late = new MoonpackError(
        "ERR_WEBSOCKET_TIMEOUT",
        `the connection was not opened within ${openTimeoutMs} ms`,
      );
      const timer = setTimeout(() => this.#end(late), openTimeoutMs);
      await this.#opening.wait().finally(() => clearTimeout(timer));
    }
    return this;
  }

  /** True from the moment the connection is open until either end closes it. */
  get isOpen(): boolean {
    return this.#state === "open" && this.#error === undefined;
  }

  /** Resolves when the connection is closed, with the code, the reason, and the error if it failed. Never rejects. */
  get closed(): Promise<Closed> {
    return this.#closed;
  }

  /** Number of sent bytes that have not left the process. */
  get bufferedBytes(): number {
    return this.#transport.bufferedBytes;
  }

  /** Approximate memory of the messages that wait to be read. */
  get unreadBytes(): number {
    return this.#inbox.bytes;
  }

  /**
   * Sends a value as MessagePack. It is encoded before the call returns, so it may be changed afterwards.
   * Resolves when the buffer has free space. Await it before the next message: otherwise memory grows while the peer is slow, up to
   * `maxUnsentBytes`, which ends the connection. Rejects if the connection is closed; a caller that does not await it causes no
   * unhandled rejection.
   * Throws an `EncodeError` with the path of a value that MessagePack does not support; nothing is sent then.
   */
  send(value: unknown): Promise<void> {
    return this.sendBytes(this.#settings.encoder.encode(value));
  }

  /** Sends a value as `send` does, with the codec of a kind: a number at the start of the message (option `kinds`). Throws the codec's errors, and `ERR_INVALID_ARGUMENT` for an unknown kind. */
  sendKind<N extends keyof K & number>(kind: N, value: ValueOf<K, N>): Promise<void> {
    return this.sendBytes(kindBytes(kind, codecOfKind(this.#settings, kind), value as never));
  }

  /**
   * Sends an encoded message: the result of `encode` from `moonpack`, or of `encodeKind`. The rest is as in `send`. It saves time if the
   * same message goes to many connections. The bytes must not change afterwards.
   */
  sendBytes(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    if (!(bytes instanceof Uint8Array)) throw invalidArgument("bytes must be a Uint8Array");
    if (!this.isOpen) return rejected(this.#endError);
    return this.#backpressure.send(bytes);
  }

  /**
   * Resolves with the next message, or undefined when the connection is closed. Rejects with the connection's error if it failed, such as
   * a `DecodeError` for invalid bytes. Concurrent calls get one message each.
   */
  receive(): Promise<Message<K, V> | undefined> {
    const message = this.#inbox.take();
    if (message !== undefined) return message;
    if (this.#error !== undefined) return Promise.reject(this.#error);
    if (this.#state === "closing" || this.#state === "closed") return Promise.resolve(undefined);
    return this.#inbox.wait();
  }

  /** Iterates over messages as they arrive. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Message<K, V>, void, undefined> {
    for (let message = await this.receive(); message !== undefined; message = await this.receive()) yield message;
  }

  /**
   * Closes the connection and waits until the peer confirms that it received all messages. Messages that have already arrived can still
   * be read. Resolves with the code 1006 if the peer does not confirm and no sent bytes leave the process for `closeTimeout`.
   * Throws `ERR_INVALID_ARGUMENT` for a code that is not 1000 or 3000 to 4999, or a reason of more than 123 bytes.
   */
  close(code = 1000, reason = ""): Promise<Closed> {
    checkClose(code, reason);
    this.#close(code, reason);
    return this.#closed;
  }

  /** Ends the connection immediately, without a close message. Unsent messages are dropped. */
  terminate(): void {
    this.#end(closedError());
  }

  /** Closes the connection: for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.closeAs(1000, "");
  }

  /** Closes the connection with a code that only the library may send. @internal */
  closeAs(code: number, reason: string): Promise<Closed> {
    this.#close(code, reason);
    return this.#closed;
  }

  /** Ends the connection immediately with an error. @internal */
  abort(error: MoonpackError): void {
    this.#end(error);
  }

  /** True for the error with which this connection rejects calls after its end. @internal */
  isEndedBy(error: unknown): boolean {
    return error !== undefined && (error === this.#error || error === this.#endError);
  }

  #onOpened(): void {
    if (this.#state !== "opening") return;
    this.#state = "open";
    this.#opening.resolve();
    this.#heartbeat.start(
      this.#transport,
      this.#settings.idleTimeoutMs,
      () => (this.#transport.ping === undefined ? this.#backpressure.ping() : this.#transport.ping()),
      (error) => this.#end(error),
    );
  }

  #onMessage(bytes: Uint8Array): void {
    this.#heartbeat.received();
    if (this.#state === "closing" || this.#state === "closed" || this.#error !== undefined) return;
    // A message of the flow control, which the application does not see.
    const control = signalOf(bytes);
    if (control !== -1) return this.#backpressure.onControl(control);
    this.#inbox.add(bytes);
  }

  #close(code: number, reason: string): void {
    if (this.#state === "closing" || this.#state === "closed") return;
    this.#state = "closing";
    this.#stopWaiting(this.#error ?? closedError());
    // Started first: the connection may end during the call of close.
    this.#startCloseTimer();
    // The confirmation arrives after messages, which are read and dropped.
    this.#transport.resume();
    this.#transport.close(code, reason);
    this.#transport.reportSent(0); // from now on, each `sent` event restarts the close timer
  }

  /** Ends the connection when no bytes have left the process for `closeTimeout`. A slow peer is not cut off as long as it reads. */
  #startCloseTimer(): void {
    this.#heartbeat.stop();
    let before = this.#transport.pendingBytes;
    this.#closeTimer.start(this.#settings.closeTimeoutMs, (steps) => {
      const { pendingBytes } = this.#transport;
      if (pendingBytes !== before) this.#closeTimer.restart();
      else if (steps >= SteppedTimeout.STEPS) this.#transport.terminate();
      before = pendingBytes;
    });
  }

  /** Closes the connection because of an error. Only the first error is kept. Earlier messages can still be read. */
  #fail(error: MoonpackError, code: number): void {
    if (this.#error !== undefined || this.#state === "closing" || this.#state === "closed") return;
    this.#error = error;
    this.#close(code, error.code);
  }

  /** Ends the connection without a close message, so the peer does not treat the data as complete. */
  #end(error: MoonpackError): void {
    if (this.#error !== undefined || this.#state === "closed") return;
    this.#error = error;
    this.#inbox.clear();
    this.#state = "closing";
    this.#stopWaiting(error);
    this.#transport.terminate();
  }

  #onFailed(error: unknown): void {
    if (this.#error !== undefined || this.#state === "closing") return;
    this.#error = transportError(error, this.#state === "opening", this.#settings.maxMessageBytes);
    if (this.#state !== "open") return;
    // The WebSocket closes itself, and may wait for the peer.
    this.#state = "closing";
    this.#stopWaiting(this.#error);
    this.#startCloseTimer();
  }

  #onEnded(code: number, reason: string): void {
    if (this.#state === "closed") return;
    const wasClosing = this.#state === "closing";
    const wasOpening = this.#state === "opening";
    this.#state = "closed";
    if (!wasClosing && (wasOpening || !isNormalClose(code)))
      this.#error ??= new WebSocketError("ERR_WEBSOCKET_CLOSED", closeText(code, reason), code, reason);
    this.#heartbeat.stop();
    this.#closeTimer.stop();
    if (this.#onAbort !== undefined) this.#settings.signal?.removeEventListener("abort", this.#onAbort);
    this.#stopWaiting(this.#error ?? closedError());
    this.#settle({ code, reason, error: this.#error });
  }

  /** Rejects or ends everything that waits for the connection. */
  #stopWaiting(error: MoonpackError): void {
    this.#endError ??= error;
    this.#inbox.end(this.#error);
    this.#backpressure.end(error);
    this.#opening.reject(error);
  }
}
