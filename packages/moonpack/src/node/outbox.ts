import { errorMonitor } from "node:events";
import { Socket } from "node:net";
import type { Writable } from "node:stream";
import { closed } from "./options.js";

const NOTHING = new Uint8Array(0);

/** Memory that the socket holds until it has called so many callbacks. */
interface Lent {
  readonly until: number;
  readonly chunk: Uint8Array<ArrayBuffer>;
}

/** Somebody who waits until the socket has called so many callbacks. */
interface Waiter {
  readonly until: number;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Chunks on their way into a Writable: hands them over together, knows when they are written and tells those who wait for
 * it. When the Writable fails or closes, all of them have its error, or `ERR_CLOSED`.
 */
export class Outbox {
  readonly #socket: Writable;
  /** Memory that was lent is free again. */
  readonly #release: (chunk: Uint8Array<ArrayBuffer>) => void;
  /** Called once, when nothing more can be written. */
  readonly #over: () => void;
  /** The socket says when it needs a chunk's memory no more; other Writables may keep it. */
  readonly returns: boolean;
  /** Chunks to be handed over, in order. */
  #out: Uint8Array[] = [];
  #lent: Lent[] = [];
  #written: Waiter[] = [];
  #drained: Waiter[] = [];
  /** Callbacks that the socket was given, and has called; and whether it was given a write without one since. */
  #given = 0;
  #called = 0;
  #isUnfenced = false;
  /** The socket holds what it is given. */
  isFull = false;
  /** Why it is over; null before. */
  failure: unknown = null;
  /** Times that something was handed over, and chunks in all. */
  batches = 0;
  writes = 0;

  constructor(socket: Writable, release: (chunk: Uint8Array<ArrayBuffer>) => void, over: () => void) {
    this.#socket = socket;
    this.#release = release;
    this.#over = over;
    this.returns = socket instanceof Socket; // a TLSSocket is one
    socket.on("drain", this.#onDrain);
    socket.on("close", this.#onClose);
    socket.on(errorMonitor, this.#fail);
  }

  /** Fails if nothing can be written any more. */
  check(): void {
    if (!this.#socket.writable) this.#onClose();
  }

  /** There is something to hand over. */
  get isWaiting(): boolean {
    return this.#out.length > 0;
  }

  /** A chunk for the next batch. */
  add(chunk: Uint8Array): void {
    this.#out.push(chunk);
  }

  /** The same, in memory that is wanted back; only where the socket `returns` it. */
  lend(chunk: Uint8Array<ArrayBuffer>): void {
    this.#lent.push({ until: this.#given + 1, chunk });
    this.#out.push(chunk);
  }

  /** Hands over one chunk. A socket is given no callback: that would cost more than all the rest. See {@link #fence}. */
  sendAlone(chunk: Uint8Array): void {
    if (!this.returns || !this.#socket.writable) {
      this.#out.push(chunk);
      return this.send();
    }
    this.batches++;
    this.writes++;
    this.#isUnfenced = true;
    this.isFull = !this.#socket.write(chunk);
  }

  /** Hands over what waits: one write, or one writev. */
  send(): void {
    const socket = this.#socket;
    if (!socket.writable) return this.#onClose();
    const chunks = this.#out;
    const last = chunks.pop()!;
    this.batches++;
    this.writes += chunks.length + 1;
    this.#given++;
    this.#isUnfenced = false;
    if (chunks.length === 0) {
      this.isFull = !socket.write(last, this.#onWritten);
      return;
    }
    this.#out = [];
    socket.cork();
    for (const chunk of chunks) socket.write(chunk);
    this.isFull = !socket.write(last, this.#onWritten);
    socket.uncork();
  }

  /** Callbacks come in the order of the writes. */
  #onWritten = (error?: Error | null): void => {
    if (error) return this.#onClose();
    const called = ++this.#called;
    while (this.#lent.length > 0 && this.#lent[0]!.until <= called) this.#release(this.#lent.shift()!.chunk);
    while (this.#written.length > 0 && this.#written[0]!.until <= called) this.#written.shift()!.resolve();
  };

  /** Makes sure that there is a callback for all that the socket holds. */
  #fence(): void {
    const socket = this.#socket;
    if (!this.#isUnfenced || socket.writableLength === 0) return;
    this.#given++;
    this.#isUnfenced = false;
    // One that its user has ended takes no more, and says when all has been written.
    if (socket.writable) socket.write(NOTHING, this.#onWritten);
    else socket.once("finish", () => this.#onWritten());
  }

  /** Fulfilled when all that was handed over has been written. */
  written(): Promise<void> {
    if (this.failure === null) this.#fence();
    return this.#wait(this.#written, this.#given === this.#called);
  }

  /** Fulfilled when the socket holds nothing more. */
  drained(): Promise<void> {
    return this.#wait(this.#drained, !this.isFull);
  }

  /** Ends the socket; fulfilled when it has finished. */
  end(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#written.push({ until: Infinity, resolve, reject });
      this.#socket.end((error?: Error | null) => (error ? this.#onClose() : resolve()));
    });
  }

  /** A promise that may be ignored: the socket reports its error by itself. */
  #wait(list: Waiter[], isNow: boolean): Promise<void> {
    const promise = new Promise<void>((resolve, reject) => {
      if (this.failure !== null) reject(this.failure);
      else if (isNow) resolve();
      else list.push({ until: this.#given, resolve, reject });
    });
    promise.catch(() => undefined);
    return promise;
  }

  /** Lets the socket go. */
  detach(): void {
    this.#socket.off("drain", this.#onDrain);
    this.#socket.off("close", this.#onClose);
    this.#socket.off(errorMonitor, this.#fail);
    this.#out = [];
    this.#lent = [];
    this.#onDrain();
  }

  #onDrain = (): void => {
    this.isFull = false;
    for (const waiter of this.#drained.splice(0)) waiter.resolve();
  };

  #onClose = (): void => this.#fail(this.#socket.errored ?? closed("socket"));

  #fail = (error: unknown): void => {
    if (this.failure !== null) return;
    this.failure = error;
    for (const waiter of [...this.#written.splice(0), ...this.#drained.splice(0)]) waiter.reject(error);
    this.detach();
    this.#over();
  };
}
