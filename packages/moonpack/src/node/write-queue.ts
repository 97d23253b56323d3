import { errorMonitor } from "node:events";
import { Socket } from "node:net";
import type { Writable } from "node:stream";
import { Queue } from "../bytes/queue.js";
import { closed } from "./options.js";

const EMPTY = /* @__PURE__ */ new Uint8Array(0);

/** Memory that the socket holds until it has called `until` callbacks. */
interface LentChunk {
  readonly until: number;
  readonly chunk: Uint8Array<ArrayBuffer>;
}

/** A promise that settles when the socket has called `until` callbacks. */
interface Waiter {
  readonly until: number;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Queues chunks for a Writable, writes them together and resolves promises when they have been written. When the Writable fails
 * or closes, all pending promises reject with its error, or with `ERR_CLOSED`.
 */
export class WriteQueue {
  readonly #socket: Writable;
  /** Called with lent memory that is free again. */
  readonly #release: (chunk: Uint8Array<ArrayBuffer>) => void;
  /** Called once, when the queue ends. */
  readonly #onEnd: () => void;
  /** True for sockets: they report when a chunk has been written. Other Writables may keep its memory. */
  readonly returnsMemory: boolean;
  /** Chunks of the next batch, in order. */
  #chunks: Uint8Array[] = [];
  readonly #lent = new Queue<LentChunk>();
  readonly #writtenWaiters = new Queue<Waiter>();
  readonly #drainWaiters = new Queue<Waiter>();
  /** Callbacks passed to the socket. */
  #given = 0;
  /** Callbacks that the socket has called. */
  #called = 0;
  /** True if the last write had no callback. */
  #lacksCallback = false;
  /** True while the socket buffers its writes: `drain` follows. */
  isFull = false;
  /** The error that has ended the queue; null before. */
  failure: unknown = null;
  /** Batches passed to the socket. */
  batches = 0;
  /** Chunks in these batches. */
  writes = 0;

  constructor(socket: Writable, release: (chunk: Uint8Array<ArrayBuffer>) => void, onEnd: () => void) {
    this.#socket = socket;
    this.#release = release;
    this.#onEnd = onEnd;
    this.returnsMemory = socket instanceof Socket; // a TLSSocket is one
    socket.on("drain", this.#onDrain);
    socket.on("close", this.#onClose);
    socket.on(errorMonitor, this.#fail);
  }

  /** Ends the queue if the Writable is closed. */
  check(): void {
    if (!this.#socket.writable) this.#onClose();
  }

  /** True if the next batch has chunks. */
  get isWaiting(): boolean {
    return this.#chunks.length > 0;
  }

  /** Adds a chunk to the next batch. */
  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
  }

  /** Adds a chunk whose memory is released once it has been written. Only if `returnsMemory` is true. */
  lend(chunk: Uint8Array<ArrayBuffer>): void {
    this.#lent.add({ until: this.#given + 1, chunk });
    this.#chunks.push(chunk);
  }

  /** Writes one chunk. A socket receives no callback, which would cost more than the write; see {@link #ensureCallback}. */
  sendAlone(chunk: Uint8Array): void {
    if (!this.returnsMemory || !this.#socket.writable) {
      this.#chunks.push(chunk);
      return this.send();
    }
    this.batches++;
    this.writes++;
    this.#lacksCallback = true;
    this.isFull = !this.#socket.write(chunk);
  }

  /** Writes the batch: by one write, or one writev. */
  send(): void {
    const socket = this.#socket;
    if (!socket.writable) return this.#onClose();
    const chunks = this.#chunks;
    const last = chunks.pop()!;
    this.batches++;
    this.writes += chunks.length + 1;
    this.#given++;
    this.#lacksCallback = false;
    if (chunks.length === 0) {
      this.isFull = !socket.write(last, this.#onWritten);
      return;
    }
    this.#chunks = [];
    socket.cork();
    for (const chunk of chunks) socket.write(chunk);
    this.isFull = !socket.write(last, this.#onWritten);
    socket.uncork();
  }

  /** The callback of writes; sockets call it in their order. */
  #onWritten = (error?: Error | null): void => {
    if (error) return this.#onClose();
    const called = ++this.#called;
    for (let lent = due(this.#lent, called); lent !== undefined; lent = due(this.#lent, called)) {
      this.#release(lent.chunk);
    }
    settleDue(this.#writtenWaiters, called, (waiter) => waiter.resolve());
  };

  /** Makes sure that a callback follows the last write. */
  #ensureCallback(): void {
    const socket = this.#socket;
    if (!this.#lacksCallback || socket.writableLength === 0) return;
    this.#given++;
    this.#lacksCallback = false;
    // A socket that its user has ended takes no more writes; it emits `finish` when everything has been written.
    if (socket.writable) socket.write(EMPTY, this.#onWritten);
    else socket.once("finish", () => this.#onWritten());
  }

  /** Resolves when every write so far has been completed. */
  written(): Promise<void> {
    if (this.failure === null) this.#ensureCallback();
    return this.#wait(this.#writtenWaiters, this.#given === this.#called);
  }

  /** Resolves when the socket has written its buffered data. */
  drained(): Promise<void> {
    return this.#wait(this.#drainWaiters, !this.isFull);
  }

  /** Ends the socket. Resolves when it has finished. */
  end(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#writtenWaiters.add({ until: Infinity, resolve, reject });
      this.#socket.end((error?: Error | null) => (error ? this.#onClose() : resolve()));
    });
  }

  /** Returns a promise that may be ignored: the socket emits its error anyway. */
  #wait(waiters: Queue<Waiter>, isNow: boolean): Promise<void> {
    const promise = new Promise<void>((resolve, reject) => {
      if (this.failure !== null) reject(this.failure);
      else if (isNow) resolve();
      else waiters.add({ until: this.#given, resolve, reject });
    });
    promise.catch(() => undefined);
    return promise;
  }

  /** Removes all listeners from the socket. */
  detach(): void {
    this.#socket.off("drain", this.#onDrain);
    this.#socket.off("close", this.#onClose);
    this.#socket.off(errorMonitor, this.#fail);
    this.#chunks = [];
    this.#lent.clear();
    this.#onDrain();
  }

  #onDrain = (): void => {
    this.isFull = false;
    settleDue(this.#drainWaiters, Infinity, (waiter) => waiter.resolve());
  };

  #onClose = (): void => this.#fail(this.#socket.errored ?? closed("socket"));

  #fail = (error: unknown): void => {
    if (this.failure !== null) return;
    this.failure = error;
    for (const waiters of [this.#writtenWaiters, this.#drainWaiters])
      settleDue(waiters, Infinity, (waiter) => waiter.reject(error));
    this.detach();
    this.#onEnd();
  };
}

/** Removes and returns the first entry if the socket has called all the callbacks that the entry waits for. */
function due<T extends LentChunk | Waiter>(queue: Queue<T>, called: number): T | undefined {
  const { first } = queue;
  return first !== undefined && first.until <= called ? queue.take() : undefined;
}

/** Settles all promises that wait for no more than `called` callbacks. */
function settleDue(waiters: Queue<Waiter>, called: number, settle: (waiter: Waiter) => void): void {
  for (let waiter = due(waiters, called); waiter !== undefined; waiter = due(waiters, called)) settle(waiter);
}
