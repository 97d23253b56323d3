import type { Writable } from "node:stream";
import { invalidArgument } from "../bytes/errors.js";
import { type BytesInput, toBytes } from "../bytes/input.js";
import { countOption, flagOption, optionsObject, ownOption } from "../bytes/options.js";
import { Slab } from "../bytes/slab.js";
import { refuseUnknown } from "../bytes/unknown-options.js";
import { codecOptions } from "../msgpack/codec-options.js";
import { type EncoderOptions, encoderSettings } from "../msgpack/options.js";
import { MessageBatch } from "../stream/batch.js";
import { ChunkPool } from "./chunk-pool.js";
import { closed } from "./options.js";
import { WriteQueue } from "./write-queue.js";

/** Options of a {@link PipelinedWriter}. */
export interface PipelinedWriterOptions extends EncoderOptions {
  /** `false`: every message is written immediately, by a separate write. Default true. */
  readonly enabled?: boolean;
  /** Messages above this size in bytes are passed through in separate memory. At most `bufferSize`; default 16 KiB. */
  readonly threshold?: number;
  /**
   * Size in bytes of the buffer that collects messages. A full buffer is written before the turn ends. 1 KiB to 16 MiB, default
   * 32 KiB. An idle writer holds up to three buffers.
   */
  readonly bufferSize?: number;
  /**
   * Number of messages after which a batch is written before the turn ends, so that the other side can start to read it: for many
   * requests in flight. 1 to 65,536. By default a batch is written only at the end of the turn.
   */
  readonly maxBatch?: number;
}

/** Counters of a {@link PipelinedWriter}. */
export interface PipelinedWriterStats {
  /** Messages written by `write` and `writeBytes`. */
  readonly messages: number;
  /** Bytes of these messages. */
  readonly bytes: number;
  /** Batches passed to the socket; usually each is one system call. */
  readonly batches: number;
  /** Buffers in these batches. A batch may consist of several. */
  readonly writes: number;
  /** Messages passed through in their own memory. */
  readonly passedThrough: number;
}

/**
 * A turn ends when its `setImmediate` runs, after all of its input has been handled. To wait for that costs 15 % of the messages per second when only
 * one message is in flight at a time. So after LONE_TURNS consecutive turns with one message each, the next LONE_MESSAGES
 * messages are written immediately. Then turns are counted again.
 */
const LONE_TURNS = 8;
const LONE_MESSAGES = 64;

/**
 * Writes messages to a socket. All messages of one turn of the event loop are encoded into one buffer, one after the other, and
 * passed to the socket together. A `net.Socket` or `tls.TLSSocket` reports when it has written a buffer, which is then
 * reused; any other Writable receives separate memory. Set `socket.setNoDelay(true)` for quick responses.
 *
 * When the socket fails or closes, every pending promise rejects with the socket's error or with `ERR_CLOSED`. Later writes
 * throw `ERR_CLOSED`, as after `close`. End the socket with `close({ end: true })`: if the caller ends it directly, messages
 * that are still in the buffer are not sent, and only the promises of `flush` and `close` report that. The caller handles the
 * socket's `error` event.
 *
 * @example
 * const writer = new PipelinedWriter(socket);
 * if (!writer.write({ id: 1, ok: true })) await writer.drain();
 */
export class PipelinedWriter {
  readonly #threshold: number;
  readonly #maxBatch: number;
  readonly #pool: ChunkPool;
  readonly #queue: WriteQueue;
  /** Null once the writer has ended. */
  #batch: MessageBatch | null;
  /** Memory of batches that are written before the turn ends, for Writables that may keep it. */
  readonly #slab = new Slab();
  #immediate: NodeJS.Immediate | null = null;
  /** Messages in the batch of this turn. */
  #turnMessages = 0;
  /** Consecutive turns with one message each. */
  #loneTurns = 0;
  /** Number of next messages that are written immediately. */
  #loneMessagesLeft: number;
  #closing: Promise<void> | null = null;
  #messages = 0;
  #bytes = 0;
  #passedThrough = 0;

  /** `ERR_INVALID_ARGUMENT` if the socket is not a Writable of bytes, and for an invalid option. */
  constructor(socket: Writable, options?: PipelinedWriterOptions) {
    if (typeof socket !== "object" || typeof socket?.write !== "function" || socket.writableObjectMode) {
      throw invalidArgument("socket must be a Writable of bytes");
    }
    const settings = encoderSettings(codecOptions(options, ["bufferSize", "enabled", "maxBatch", "threshold"]));
    const size = countOption("bufferSize", ownOption(options, "bufferSize"), 32_768, 1024, 16 * 1024 * 1024);
    this.#threshold = countOption("threshold", ownOption(options, "threshold"), Math.min(16_384, size), 1, size);
    this.#maxBatch = countOption("maxBatch", ownOption(options, "maxBatch"), Infinity, 1, 65_536);
    this.#loneMessagesLeft = flagOption("enabled", ownOption(options, "enabled"), true) ? 0 : Infinity;
    const pool = new ChunkPool(size);
    const queue = new WriteQueue(
      socket,
      (chunk) => pool.release(chunk),
      () => this.#release(),
    );
    this.#pool = pool;
    this.#queue = queue;
    this.#batch = new MessageBatch(
      settings,
      this.#threshold,
      () => pool.allocate(),
      // Only queued: a write may run the Writable's own code, which must not see a half-updated batch.
      (chunk) => (queue.returnsMemory ? queue.lend(chunk) : queue.add(pool.detach(chunk))),
      () => pool.takeSpare(),
    );
    queue.check();
  }

  /**
   * Writes a value. Returns false if the caller should wait for `drain`. Throws `EncodeError` for a value that cannot be
   * encoded: nothing of it is sent and the writer stays usable. `ERR_CLOSED` after `close`, and once the socket is closed.
   */
  write(value: unknown): boolean {
    const batch = this.#batchOrThrow();
    const size = batch.add(value);
    if (size > this.#threshold && batch.size === 0) this.#passedThrough++;
    return this.#added(batch, size);
  }

  /**
   * Writes the bytes of an encoded message, as {@link PipelinedWriter.write} writes a value. Up to `threshold` bytes are copied. A
   * longer message is not copied: its bytes must not change until they are written (`await flush()`).
   */
  writeBytes(bytes: BytesInput): boolean {
    const batch = this.#batchOrThrow();
    if (batch.isBusy)
      throw invalidArgument("code that runs while a value is encoded, such as toJSON, cannot write to the same writer");
    const message = toBytes(bytes);
    const size = message.length;
    if (size > this.#threshold) {
      batch.flush();
      this.#queue.add(message);
      this.#passedThrough++;
    } else batch.append(message);
    return this.#added(batch, size);
  }

  /** Returns the batch. Throws `ERR_CLOSED` after `close`, and once the socket is closed. */
  #batchOrThrow(): MessageBatch {
    if (this.#batch === null || this.#closing !== null) throw closed("writer, or its socket,");
    return this.#batch;
  }

  /**
   * Counts a message that is in the batch or the queue. Writes what does not wait for the end of the turn: a lone message, chunks in the
   * queue, or a batch after `maxBatch` messages.
   */
  #added(batch: MessageBatch, size: number): boolean {
    this.#messages++;
    this.#bytes += size;
    if (this.#loneMessagesLeft > 0 && this.#immediate === null && batch.size > 0) {
      this.#loneMessagesLeft--;
      this.#sendBatch(batch);
    } else if (this.#queue.isWaiting) this.#queue.send();
    this.#batchOrThrow(); // the socket may have closed during the write
    if (batch.size > 0) {
      this.#immediate ??= setImmediate(this.#endTurn);
      if (++this.#turnMessages % this.#maxBatch === 0) this.#sendBatch(batch);
    }
    return !this.#queue.isFull;
  }

  /** Writes the batch before the turn ends. The turn continues to count messages. */
  #sendBatch(batch: MessageBatch): void {
    // The chunk is a part of its buffer, which becomes free when the last chunk in it has been written.
    const chunk = batch.cut();
    this.#queue.sendAlone(this.#queue.returnsMemory ? chunk : this.#slab.copy(chunk, 0, chunk.length));
  }

  #endTurn = (): void => {
    if (this.#turnMessages !== 1) this.#loneTurns = 0;
    else if (++this.#loneTurns >= LONE_TURNS) this.#loneMessagesLeft = LONE_MESSAGES;
    this.#sendAll();
  };

  /** Writes the batch and the queue, and starts to count the messages of a turn from 0. */
  #sendAll(): void {
    if (this.#immediate !== null) clearImmediate(this.#immediate);
    this.#immediate = null;
    this.#turnMessages = 0;
    this.#batch?.flush();
    if (this.#queue.isWaiting) this.#queue.send();
  }

  /** Writes the batch now. Resolves when everything written so far has left the process. */
  flush(): Promise<void> {
    this.#sendAll();
    return this.#queue.written();
  }

  /**
   * Resolves when the socket has written its buffered data. If `write` has not returned false, there is nothing to wait for.
   */
  drain(): Promise<void> {
    return this.#queue.drained();
  }

  /**
   * Closes the writer and writes the batch. Resolves when everything has left the process. The socket stays open by default. With
   * `end: true`, the socket is ended too, and the promise waits for its end.
   */
  close(options?: { readonly end?: boolean }): Promise<void> {
    refuseUnknown(optionsObject(options), ["end"]);
    const end = flagOption("end", ownOption(options, "end"), false);
    if (this.#closing === null) {
      this.#closing = this.#close(end);
      this.#closing.catch(() => undefined);
    }
    return this.#closing;
  }

  async #close(end: boolean): Promise<void> {
    await this.flush();
    if (end) await this.#queue.end();
    this.#queue.detach();
    this.#release();
  }

  /** Returns counters of the work done so far. */
  stats(): PipelinedWriterStats {
    const { batches, writes } = this.#queue;
    return { messages: this.#messages, bytes: this.#bytes, batches, writes, passedThrough: this.#passedThrough };
  }

  /** Ends the writer, after `close` or when the socket has closed. */
  #release(): void {
    this.#batch = null;
    this.#sendAll();
    this.#pool.clear();
  }
}
