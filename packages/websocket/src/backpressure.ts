/** Backpressure of one connection: when senders wait for the peer, and when the socket is paused for slow readers. */
import { MoonpackError } from "moonpack/bytes";
import type { Heartbeat } from "./heartbeat.js";
import { InFlightBytes } from "./in-flight.js";
import { ACK_REQUEST, PAUSE, PING, PONG, RESUME, signalBytes } from "./messages.js";
import type { Settings } from "./options.js";
import { SendSlice } from "./send-slice.js";
import { rejected, SharedPromise } from "./shared-promise.js";
import type { Transport } from "./transport.js";

/** Limit of PONGs that wait to be sent: 256 MB of messages request this many, and a peer that reads at all receives them. */
export const MAX_UNSENT_PONGS = 4096;

/** Called when too much waits to be sent. The connection must end then. */
export interface BackpressureEvents {
  /** The peer sends pings and does not read the answers. */
  peerIgnoresPongs(error: MoonpackError): void;
  /** More bytes wait than `maxUnsentBytes` allows. */
  overrun(error: MoonpackError): void;
}

/** Slows down the faster end. */
export class Backpressure {
  readonly #transport: Transport;
  readonly #heartbeat: Heartbeat;
  readonly #sendBufferBytes: number;
  readonly #maxUnsentBytes: number;
  readonly #events: BackpressureEvents;
  readonly #drained = new SharedPromise();
  readonly #inFlight = new InFlightBytes();
  readonly #slice = new SendSlice(() => this.progressed());
  #isReaderSlow = false;
  #isEnded = false;

  constructor(
    transport: Transport,
    heartbeat: Heartbeat,
    { sendBufferBytes, maxUnsentBytes }: Settings,
    events: BackpressureEvents,
  ) {
    this.#transport = transport;
    this.#heartbeat = heartbeat;
    this.#sendBufferBytes = sendBufferBytes;
    this.#maxUnsentBytes = maxUnsentBytes;
    this.#events = events;
  }

  /** Sends a message. Resolves when the buffer has space for the next. */
  send(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const error = this.#put(bytes);
    if (error !== undefined) return rejected(error);
    this.#slice.add(bytes.length);
    if (this.#heartbeat.peerSignals && this.#inFlight.add(bytes.length)) this.ping();
    if (!this.#slice.isOver && this.#hasRoom(this.#sendBufferBytes)) return Promise.resolve();
    this.#transport.reportSent(this.#sendBufferBytes / 2);
    const drained = this.#drained.wait();
    this.#pauseOrResume();
    return drained;
  }

  /** Bytes have left the process, or the peer has answered. */
  progressed(): void {
    if (this.#drained.isPending && !this.#slice.isOver && this.#hasRoom(this.#sendBufferBytes / 2))
      this.#drained.resolve();
    this.#pauseOrResume();
  }

  /** Sends a ping as a message. Its answer confirms all messages before it. */
  ping(): void {
    this.#inFlight.pinged();
    this.#put(signalBytes(this.#transport.canPause ? ACK_REQUEST : PING));
  }

  /** Handles a signal of the peer. */
  onControl(signal: number): void {
    if (signal === ACK_REQUEST) return this.#answer();
    if (signal === PONG) this.#inFlight.confirmed();
    else {
      this.#heartbeat.peerSignals = true;
      if (signal === PING) return this.#answer();
      this.#inFlight.isStopped = signal === PAUSE;
    }
    this.progressed();
  }

  /** Set to true when more than `unreadBytes` wait to be read, to false when the readers have caught up. */
  setReaderSlow(isSlow: boolean): void {
    this.#isReaderSlow = isSlow;
    if (this.#transport.canPause) this.#pauseOrResume();
    else if (!this.#isEnded) this.#put(signalBytes(isSlow ? PAUSE : RESUME));
  }

  /** Ends the connection's backpressure: waiting senders get the error, and a paused socket is resumed. */
  end(error: unknown): void {
    this.#isEnded = true;
    this.#drained.reject(error);
  }

  /** Passes a message to the WebSocket. If too much waits there, the connection ends and the error is returned. */
  #put(bytes: Uint8Array<ArrayBuffer>): MoonpackError | undefined {
    if (this.#transport.unsentBytes <= this.#maxUnsentBytes) return void this.#transport.send(bytes);
    const text = `more than ${this.#maxUnsentBytes} bytes wait to be sent; see maxUnsentBytes`;
    const error = new MoonpackError("ERR_WEBSOCKET_UNSENT", text);
    this.#events.overrun(error);
    return error;
  }

  /** Answers a ping. Pings are not merged: the peer counts the answers. */
  #answer(): void {
    if (this.#transport.answer(signalBytes(PONG)) <= MAX_UNSENT_PONGS) return;
    this.#events.peerIgnoresPongs(
      new MoonpackError("ERR_WEBSOCKET_PROTOCOL", "the peer does not read the answers to its pings"),
    );
  }

  /** True if at most `limit` bytes wait in this process, and at most `limit` are in flight to a peer that cannot pause. */
  #hasRoom(limit: number): boolean {
    return this.#transport.unsentBytes <= limit && !this.#inFlight.isAbove(limit);
  }

  /**
   * Pauses or resumes the socket. A sender may wait for a signal that arrives after unread messages, and a paused socket would never
   * receive it. Until it has arrived, messages are kept, up to `maxUnreadBytes`.
   */
  #pauseOrResume(): void {
    const needsSignal = this.#drained.isPending && this.#inFlight.isAbove(this.#sendBufferBytes / 2);
    const isPaused = this.#isReaderSlow && this.#transport.canPause && !this.#isEnded && !needsSignal;
    if (isPaused === this.#heartbeat.isPaused) return;
    this.#heartbeat.isPaused = isPaused;
    if (isPaused) return this.#transport.pause();
    this.#heartbeat.received();
    this.#transport.resume();
  }
}
