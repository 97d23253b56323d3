/** Back-pressure of one connection: when its senders wait for the peer, and when its socket is paused for its readers. */
import { MoonpackError } from "moonpack/bytes";
import { Flight } from "./flight.js";
import { GO, MARK, PING, PONG, STOP, signalBytes } from "./kinds.js";
import type { Life } from "./life.js";
import type { Settings } from "./options.js";
import { Room, rejected } from "./room.js";
import { Turn } from "./turn.js";
import type { Wire } from "./wire.js";

/** The most answers that wait to be sent: 256 MB of messages ask for so many, and a peer that reads at all takes them. */
export const MAX_ANSWERS = 4096;

/** Called when too much waits to be sent. The connection must end then. */
export interface FlowEvents {
  /** The peer sends pings and does not read the answers. */
  flooded(error: MoonpackError): void;
  /** More bytes wait than `maxUnsentBytes` allows. */
  overrun(error: MoonpackError): void;
}

/** Slows down whoever is too fast. */
export class Flow {
  readonly #wire: Wire;
  readonly #life: Life;
  readonly #sendBufferBytes: number;
  readonly #maxUnsentBytes: number;
  readonly #events: FlowEvents;
  readonly #room = new Room();
  readonly #flight = new Flight();
  readonly #turn = new Turn(() => this.progressed());
  #isBehind = false;
  #isEnded = false;

  constructor(wire: Wire, life: Life, { sendBufferBytes, maxUnsentBytes }: Settings, events: FlowEvents) {
    this.#wire = wire;
    this.#life = life;
    this.#sendBufferBytes = sendBufferBytes;
    this.#maxUnsentBytes = maxUnsentBytes;
    this.#events = events;
  }

  /** Sends a message. The promise is kept when there is room for the next. */
  send(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const error = this.#put(bytes);
    if (error !== undefined) return rejected(error);
    this.#turn.add(bytes.length);
    if (this.#life.peerSignals && this.#flight.add(bytes.length)) this.mark();
    if (!this.#turn.isOver && this.#hasRoom(this.#sendBufferBytes)) return Promise.resolve();
    this.#wire.watch(this.#sendBufferBytes / 2);
    const room = this.#room.wait();
    this.#listen();
    return room;
  }

  /** Something has left the process, or the peer has answered. */
  progressed(): void {
    if (this.#room.isAwaited && !this.#turn.isOver && this.#hasRoom(this.#sendBufferBytes / 2)) this.#room.open();
    this.#listen();
  }

  /** A ping as a message: what was sent before it has arrived when it is answered. */
  mark(): void {
    this.#flight.mark();
    this.#put(signalBytes(this.#wire.canPause ? MARK : PING));
  }

  /** The peer has sent a signal. */
  signalled(signal: number): void {
    if (signal === MARK) return this.#answer();
    if (signal === PONG) this.#flight.confirm();
    else {
      this.#life.peerSignals = true;
      if (signal === PING) return this.#answer();
      this.#flight.isStopped = signal === STOP;
    }
    this.progressed();
  }

  /** Enough waits to be read, or no longer. */
  setBehind(isBehind: boolean): void {
    this.#isBehind = isBehind;
    if (this.#wire.canPause) this.#listen();
    else if (!this.#isEnded) this.#put(signalBytes(isBehind ? STOP : GO));
  }

  /** The connection ends: senders that wait get the error, and nothing is paused any more. */
  end(error: unknown): void {
    this.#isEnded = true;
    this.#room.fail(error);
  }

  /** Gives a message to the WebSocket, unless too much waits there: the connection ends then, and the error is returned. */
  #put(bytes: Uint8Array<ArrayBuffer>): MoonpackError | undefined {
    if (this.#wire.unsentBytes <= this.#maxUnsentBytes) return void this.#wire.send(bytes);
    const text = `more than ${this.#maxUnsentBytes} bytes wait to be sent; see maxUnsentBytes`;
    const error = new MoonpackError("ERR_WEBSOCKET_UNSENT", text);
    this.#events.overrun(error);
    return error;
  }

  /** Each ping has its own answer: the peer counts them. */
  #answer(): void {
    if (this.#wire.answer(signalBytes(PONG)) <= MAX_ANSWERS) return;
    this.#events.flooded(new MoonpackError("ERR_WEBSOCKET_PROTOCOL", "the peer reads no answers"));
  }

  /** True if at most `most` bytes wait in this process, and at most `most` are not yet confirmed by a peer that cannot pause. */
  #hasRoom(most: number): boolean {
    return this.#wire.unsentBytes <= most && !this.#flight.isFull(most);
  }

  /**
   * Pauses or resumes the socket. What a sender waits for comes after messages that nobody has read, and a paused socket would never
   * hear it. Until it has come, messages are kept, up to `maxUnreadBytes`.
   */
  #listen(): void {
    const mustHear = this.#room.isAwaited && this.#flight.isFull(this.#sendBufferBytes / 2);
    const isPaused = this.#isBehind && this.#wire.canPause && !this.#isEnded && !mustHear;
    if (isPaused === this.#life.isPaused) return;
    this.#life.isPaused = isPaused;
    if (isPaused) return this.#wire.pause();
    this.#life.sign();
    this.#wire.resume();
  }
}
