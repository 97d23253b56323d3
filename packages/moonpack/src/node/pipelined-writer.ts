import type { Writable } from "node:stream";
import { invalidArgument } from "../bytes/errors.js";
import { type BytesInput, toBytes } from "../bytes/input.js";
import { countOption, flagOption, optionsObject, ownOption } from "../bytes/options.js";
import { Slab } from "../bytes/slab.js";
import { type EncoderOptions, encoderSettings } from "../msgpack/options.js";
import { Gather } from "../stream/gather.js";
import { ChunkMemory } from "./memory.js";
import { closed } from "./options.js";
import { Outbox } from "./outbox.js";

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
  /**
   * Messages after which a batch is written within the turn, so that the other side works on it meanwhile: for many requests
   * in flight. 1 to 65,536; by default the turn's end decides alone, and a turn is one write.
   */
  readonly maxBatch?: number;
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

/**
 * Writes messages to a socket: those of one turn of the event loop are encoded one behind the other into one buffer and
 * handed over at once. The buffer is used again where the sink is a `net.Socket` or `tls.TLSSocket` and has said that it is
 * written; any other Writable gets memory of its own. For answers that come soon, `socket.setNoDelay(true)`.
 *
 * When the socket fails or closes, every promise that is pending is rejected with its error, or `ERR_CLOSED`; from then on,
 * and after `close`, writes are `ERR_CLOSED`. End the socket by `close({ end: true })`: what is gathered when you end it
 * yourself is not sent, which only the promises of `flush` and `close` tell. The socket's `error` event stays yours to handle.
 *
 * @example
 * const writer = new PipelinedWriter(socket);
 * if (!writer.write({ id: 1, ok: true })) await writer.drain();
 */
export class PipelinedWriter {
  readonly #threshold: number;
  readonly #maxBatch: number;
  readonly #memory: ChunkMemory;
  readonly #outbox: Outbox;
  /** null once there is nothing more to write. */
  #gather: Gather | null;
  /** Memory of messages that are written alone to who may keep them. */
  readonly #slab = new Slab();
  #immediate: NodeJS.Immediate | null = null;
  /** Messages gathered in this turn, turns in a row that had one, and messages that are written at once for that reason. */
  #turnMessages = 0;
  #loneTurns = 0;
  #lone: number;
  #closing: Promise<void> | null = null;
  #messages = 0;
  #bytes = 0;
  #passedThrough = 0;

  /** `ERR_INVALID_ARGUMENT` for a socket that is no Writable of bytes and for an option that makes no sense. */
  constructor(socket: Writable, options?: PipelinedWriterOptions) {
    if (typeof socket !== "object" || typeof socket?.write !== "function" || socket.writableObjectMode) {
      throw invalidArgument("socket must be a Writable of bytes");
    }
    const settings = encoderSettings(options);
    const size = countOption("bufferSize", ownOption(options, "bufferSize"), 32_768, 1024, 16 * 1024 * 1024);
    this.#threshold = countOption("threshold", ownOption(options, "threshold"), Math.min(16_384, size), 1, size);
    this.#maxBatch = countOption("maxBatch", ownOption(options, "maxBatch"), Infinity, 1, 65_536);
    this.#lone = flagOption("enabled", ownOption(options, "enabled"), true) ? 0 : Infinity;
    const memory = new ChunkMemory(size);
    const outbox = new Outbox(
      socket,
      (chunk) => memory.release(chunk),
      () => this.#letGo(),
    );
    this.#memory = memory;
    this.#outbox = outbox;
    this.#gather = new Gather(
      settings,
      this.#threshold,
      () => memory.allocate(),
      // Only queued: what handing over may run (a sink's own code) must not find a message half gathered.
      (chunk) => (outbox.returns ? outbox.lend(chunk) : outbox.add(memory.give(chunk))),
      () => memory.spare(),
    );
    outbox.check();
  }

  /**
   * Writes a value; false when you should wait for `drain`. A value that cannot be encoded is an `EncodeError`, of which
   * nothing is sent; the writer stays usable. `ERR_CLOSED` after `close` and when the socket is gone.
   */
  write(value: unknown): boolean {
    const gather = this.#open();
    const size = gather.add(value);
    if (size > this.#threshold && gather.size === 0) this.#passedThrough++;
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
      this.#outbox.add(message);
      this.#passedThrough++;
    } else gather.append(message);
    return this.#took(gather, size);
  }

  #open(): Gather {
    if (this.#gather === null || this.#closing !== null) throw closed("writer, or its socket,");
    return this.#gather;
  }

  /** A message is gathered, or waits in the outbox. */
  #took(gather: Gather, size: number): boolean {
    this.#messages++;
    this.#bytes += size;
    if (this.#lone > 0 && this.#immediate === null && gather.size > 0) {
      this.#lone--;
      this.#sendNow(gather);
    } else if (this.#outbox.isWaiting) this.#outbox.send();
    this.#open();
    if (gather.size > 0) {
      this.#immediate ??= setImmediate(this.#endTurn);
      if (++this.#turnMessages % this.#maxBatch === 0) this.#sendNow(gather);
    }
    return !this.#outbox.isFull;
  }

  /** Hands over what is gathered, before the turn ends. */
  #sendNow(gather: Gather): void {
    // Where memory comes back, it does so with a later chunk, when this one has been written too.
    const batch = gather.cut();
    this.#outbox.sendAlone(this.#outbox.returns ? batch : this.#slab.copy(batch, 0, batch.length));
  }

  #endTurn = (): void => {
    if (this.#turnMessages !== 1) this.#loneTurns = 0;
    else if (++this.#loneTurns >= LONE_TURNS) this.#lone = LONE_MESSAGES;
    this.#send();
  };

  /** Hands over what is gathered. */
  #send(): void {
    if (this.#immediate !== null) clearImmediate(this.#immediate);
    this.#immediate = null;
    this.#turnMessages = 0;
    this.#gather?.flush();
    if (this.#outbox.isWaiting) this.#outbox.send();
  }

  /** Hands over now what is gathered. The promise is fulfilled when all that was written so far has left the process. */
  flush(): Promise<void> {
    this.#send();
    return this.#outbox.written();
  }

  /** Fulfilled when the socket takes more without holding it: at once, unless `write` has answered false. */
  drain(): Promise<void> {
    return this.#outbox.drained();
  }

  /**
   * Takes nothing more, hands over what is gathered, and is fulfilled when all of it has left the process. The socket stays
   * open, unless `end`: then it is ended, which is waited for too.
   */
  close(options?: { readonly end?: boolean }): Promise<void> {
    const end = flagOption("end", ownOption(optionsObject(options), "end"), false);
    if (this.#closing === null) {
      this.#closing = this.#close(end);
      this.#closing.catch(() => undefined);
    }
    return this.#closing;
  }

  async #close(end: boolean): Promise<void> {
    await this.flush();
    if (end) await this.#outbox.end();
    this.#outbox.detach();
    this.#letGo();
  }

  /** Counters of the work done so far. */
  stats(): PipelinedWriterStats {
    const { batches, writes } = this.#outbox;
    return { messages: this.#messages, bytes: this.#bytes, batches, writes, passedThrough: this.#passedThrough };
  }

  #letGo(): void {
    this.#gather = null;
    this.#send();
    this.#memory.clear();
  }
}
