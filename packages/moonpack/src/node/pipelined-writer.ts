import { errorMonitor } from "node:events";
import { Socket } from "node:net";
import type { Writable } from "node:stream";
import { invalidArgument, MoonpackError } from "../bytes/errors.js";
import { type BytesInput, toBytes } from "../bytes/input.js";
import { countOption, flagOption, optionsObject, ownOption } from "../bytes/options.js";
import { Slab } from "../bytes/slab.js";
import { type EncoderOptions, encoderSettings } from "../msgpack/options.js";
import { Gather } from "../stream/gather.js";
import { ChunkMemory } from "./memory.js";

/** Options of a {@link PipelinedWriter}. */
export interface PipelinedWriterOptions extends EncoderOptions {
  /** `false`: every message is a write of its own, in memory of its own. Default true. */
  readonly enabled?: boolean;
  /** Messages of more bytes are passed through in memory of their own. At most `bufferSize`; default 16 KiB. */
  readonly threshold?: number;
  /**
   * Bytes that are gathered; when they are full, they are written within the turn. 1 KiB to 16 MiB, default 32 KiB. An idle
   * writer holds up to three times as much.
   */
  readonly bufferSize?: number;
}

/** Counters of a {@link PipelinedWriter}. */
export interface PipelinedWriterStats {
  /** Messages written, ready-made ones too. */
  readonly messages: number;
  /** Their bytes. */
  readonly bytes: number;
  /** Times that something was handed to the socket: one system call each, as a rule. */
  readonly batches: number;
  /** Chunks in them. */
  readonly writes: number;
  /** Messages that were passed through in their own memory. */
  readonly passedThrough: number;
}

/**
 * The end of a turn is when its `setImmediate` runs: after everything that came in with it has been handled. Waiting for
 * that costs 15 % where one message is under way at a time. So after this many turns in a row with one message each, the
 * next messages are written at once; then a turn is looked at again.
 */
const LONE_TURNS = 8;
const LONE_MESSAGES = 64;

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
 * Writes messages to a socket: those of one turn of the event loop are encoded one behind the other into one buffer and
 * handed over at once. The buffer is used again where the sink is a `net.Socket` or `tls.TLSSocket` and has said that it is
 * written; any other Writable gets memory of its own. For answers that come soon, `socket.setNoDelay(true)`.
 *
 * When the socket fails or closes, every promise that is pending is rejected with its error, or `ERR_CLOSED`; from then on,
 * and after `close`, writes are `ERR_CLOSED`. The socket's `error` event stays yours to handle.
 *
 * @example
 * const writer = new PipelinedWriter(socket);
 * if (!writer.write({ id: 1, ok: true })) await writer.drain();
 */
export class PipelinedWriter {
  readonly #socket: Writable;
  readonly #threshold: number;
  readonly #memory: ChunkMemory;
  /** The socket gives memory back when it has written it. */
  readonly #reuses: boolean;
  /** null once there is nothing more to write. */
  #gather: Gather | null;
  /** Memory of messages that are written alone. */
  readonly #slab = new Slab();
  /** Chunks to be handed over, in order. */
  #out: Uint8Array[] = [];
  /** Chunks whose memory comes back. */
  #lent: Lent[] = [];
  #immediate: NodeJS.Immediate | null = null;
  /** Messages gathered in this turn, turns in a row that had one, and messages that are written at once for that reason. */
  #turnMessages = 0;
  #loneTurns = 0;
  #lone: number;
  #isFull = false;
  /** Nothing more is taken. */
  #isClosed = false;
  /** Why promises are rejected from now on. */
  #failure: unknown = null;
  #closing: Promise<void> | null = null;
  #waiters: Waiter[] = [];
  #drains: Waiter[] = [];
  /** Callbacks that the socket was given, and has called; and whether it was given a write without one since. */
  #given = 0;
  #called = 0;
  #isUnfenced = false;
  #messages = 0;
  #bytes = 0;
  #batches = 0;
  #writes = 0;
  #passedThrough = 0;

  /** `ERR_INVALID_ARGUMENT` for a socket that is no Writable and for an option that makes no sense. */
  constructor(socket: Writable, options?: PipelinedWriterOptions) {
    if (
      typeof socket !== "object" ||
      socket === null ||
      typeof socket.write !== "function" ||
      socket.writableObjectMode
    ) {
      throw invalidArgument("socket must be a Writable of bytes");
    }
    const settings = encoderSettings(options);
    const size = countOption("bufferSize", ownOption(options, "bufferSize"), 32_768, 1024, 16 * 1024 * 1024);
    this.#threshold = countOption("threshold", ownOption(options, "threshold"), Math.min(16_384, size), 1, size);
    this.#socket = socket;
    this.#memory = new ChunkMemory(size);
    this.#reuses = socket instanceof Socket; // a TLSSocket is one
    this.#lone = flagOption("enabled", ownOption(options, "enabled"), true) ? 0 : Infinity;
    this.#gather = new Gather(
      settings,
      this.#threshold,
      () => this.#memory.allocate(),
      (chunk) => this.#emit(chunk),
      () => this.#memory.spare(),
    );
    socket.on("drain", this.#onDrain);
    socket.on("close", this.#onClose);
    socket.on(errorMonitor, this.#fail);
    if (!socket.writable) this.#onClose();
  }

  /**
   * Writes a value; false when you should wait for `drain`. A value that cannot be encoded is an `EncodeError`, of which
   * nothing is sent; the writer stays usable. `ERR_CLOSED` after `close` and when the socket is gone.
   */
  write(value: unknown): boolean {
    const gather = this.#open();
    const size = gather.add(value);
    if (size > this.#threshold && gather.used === 0) this.#passedThrough++;
    return this.#took(gather, size);
  }

  /**
   * Writes the bytes of a message that is ready. Up to `threshold` they are copied; larger ones are not and must not be
   * changed before they are written (`await flush()`). Otherwise as `write`.
   */
  writeBytes(bytes: BytesInput): boolean {
    const gather = this.#open();
    if (gather.isBusy) throw invalidArgument("a value that is being encoded cannot write to the same writer");
    const message = toBytes(bytes);
    const size = message.length;
    if (size > this.#threshold) {
      gather.flush();
      this.#out.push(message);
      this.#passedThrough++;
    } else gather.append(message);
    return this.#took(gather, size);
  }

  #open(): Gather {
    if (this.#isClosed) throw closedError();
    return this.#gather!;
  }

  /** A message is gathered, or in `#out`. */
  #took(gather: Gather, size: number): boolean {
    this.#messages++;
    this.#bytes += size;
    const { used } = gather;
    if (this.#lone > 0 && used > 0 && this.#immediate === null) {
      this.#lone--;
      gather.used = 0;
      this.#writeAlone(this.#slab.copy(gather.bytes, 0, used));
    } else if (this.#out.length > 0) this.#handOver();
    if (this.#isClosed) throw closedError();
    if (gather.used > 0) {
      this.#turnMessages++;
      this.#immediate ??= setImmediate(this.#endTurn);
    }
    return !this.#isFull;
  }

  #endTurn = (): void => {
    this.#immediate = null;
    if (this.#turnMessages !== 1) this.#loneTurns = 0;
    else if (++this.#loneTurns >= LONE_TURNS) this.#lone = LONE_MESSAGES;
    this.#hasten();
  };

  /** Hands over what is gathered. */
  #hasten(): void {
    this.#turnMessages = 0;
    this.#gather?.flush();
    if (this.#out.length > 0) this.#handOver();
  }

  #emit(chunk: Uint8Array<ArrayBuffer>): void {
    if (this.#reuses) this.#lent.push({ until: this.#given + 1, chunk });
    this.#out.push(this.#reuses ? chunk : this.#memory.give(chunk));
  }

  /** A socket is given no callback: that would cost more than all the rest. {@link #fence} makes up for it. */
  #writeAlone(message: Uint8Array): void {
    if (!this.#reuses || !this.#socket.writable) {
      this.#out.push(message);
      return this.#handOver();
    }
    this.#batches++;
    this.#writes++;
    this.#isUnfenced = true;
    this.#isFull = !this.#socket.write(message);
  }

  /** Hands the chunks to the socket: one write, or one writev. */
  #handOver(): void {
    const socket = this.#socket;
    if (!socket.writable) return this.#onClose();
    const chunks = this.#out;
    const last = chunks.pop()!;
    this.#batches++;
    this.#writes += chunks.length + 1;
    this.#given++;
    this.#isUnfenced = false;
    if (chunks.length === 0) {
      this.#isFull = !socket.write(last, this.#onWritten);
      return;
    }
    this.#out = [];
    socket.cork();
    for (const chunk of chunks) socket.write(chunk);
    this.#isFull = !socket.write(last, this.#onWritten);
    socket.uncork();
  }

  /** Callbacks come in the order of the writes. */
  #onWritten = (error?: Error | null): void => {
    if (error) return this.#onClose();
    const called = ++this.#called;
    while (this.#lent.length > 0 && this.#lent[0]!.until <= called) this.#memory.release(this.#lent.shift()!.chunk);
    while (this.#waiters.length > 0 && this.#waiters[0]!.until <= called) this.#waiters.shift()!.resolve();
  };

  /** Makes sure that there is a callback for all that the socket holds. */
  #fence(): void {
    if (!this.#isUnfenced || this.#socket.writableLength === 0) return;
    this.#given++;
    this.#isUnfenced = false;
    this.#socket.write(NOTHING, this.#onWritten);
  }

  /** Hands over now what is gathered. The promise is fulfilled when all that was written so far has left the process. */
  flush(): Promise<void> {
    if (this.#failure !== null) return rejected(this.#failure);
    this.#stopTurn();
    this.#hasten();
    if (this.#failure !== null) return rejected(this.#failure);
    this.#fence();
    return this.#given === this.#called ? Promise.resolve() : this.#wait(this.#waiters);
  }

  /** Fulfilled when the socket takes more without holding it: at once, unless `write` has answered false. */
  drain(): Promise<void> {
    if (this.#failure !== null) return rejected(this.#failure);
    return this.#isFull ? this.#wait(this.#drains) : Promise.resolve();
  }

  /**
   * Takes nothing more, hands over what is gathered, and is fulfilled when all of it has left the process. The socket stays
   * open, unless `end`: then it is ended, which is waited for too.
   */
  close(options?: { readonly end?: boolean }): Promise<void> {
    return (this.#closing ??= quiet(this.#close(flagOption("end", ownOption(optionsObject(options), "end"), false))));
  }

  async #close(end: boolean): Promise<void> {
    this.#isClosed = true;
    await this.flush();
    if (end) await this.#end();
    this.#release();
    this.#onDrain();
  }

  #end(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiters.push({ until: Infinity, resolve, reject });
      this.#socket.end((error?: Error | null) => (error ? this.#onClose() : resolve()));
    });
  }

  /** Counters of the work done so far. */
  stats(): PipelinedWriterStats {
    return {
      messages: this.#messages,
      bytes: this.#bytes,
      batches: this.#batches,
      writes: this.#writes,
      passedThrough: this.#passedThrough,
    };
  }

  #wait(list: Waiter[]): Promise<void> {
    return quiet(
      new Promise((resolve, reject) => {
        list.push({ until: this.#given, resolve, reject });
      }),
    );
  }

  #onDrain = (): void => {
    this.#isFull = false;
    for (const waiter of this.#drains.splice(0)) waiter.resolve();
  };

  #onClose = (): void => this.#fail(this.#socket.errored ?? closedError());

  #fail = (error: unknown): void => {
    if (this.#failure !== null) return;
    this.#failure = error;
    this.#isClosed = true;
    this.#release();
    for (const waiter of [...this.#waiters.splice(0), ...this.#drains.splice(0)]) waiter.reject(error);
  };

  /** Lets the socket and the memory go. */
  #release(): void {
    this.#stopTurn();
    this.#socket.off("drain", this.#onDrain);
    this.#socket.off("close", this.#onClose);
    this.#socket.off(errorMonitor, this.#fail);
    this.#gather = null;
    this.#out = [];
    this.#lent = [];
    this.#memory.clear();
  }

  #stopTurn(): void {
    if (this.#immediate !== null) clearImmediate(this.#immediate);
    this.#immediate = null;
  }
}

function closedError(): MoonpackError {
  return new MoonpackError("ERR_CLOSED", "the writer is closed, or its socket is");
}

/** A promise that may be ignored: the socket reports its error by itself. */
function quiet(promise: Promise<void>): Promise<void> {
  promise.catch(() => undefined);
  return promise;
}

function rejected(error: unknown): Promise<void> {
  return quiet(Promise.reject(error));
}
