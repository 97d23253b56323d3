import { invalidArgument } from "../bytes/errors.js";
import { copyOwned, type WriteTarget } from "../bytes/slab.js";
import type { EncoderSettings } from "../msgpack/options.js";
import { SLAB_ROOM } from "../msgpack/write/base.js";
import { MessageWriter } from "../msgpack/write/message.js";

/**
 * Collects messages in one block of memory: each message is written where the last one ended. The batch is emitted as a
 * chunk when the block is full. A message above the size limit is emitted as a separate chunk. Chunks keep the order of
 * the messages.
 */
export class MessageBatch implements WriteTarget {
  bytes: Uint8Array<ArrayBuffer>;
  view: DataView<ArrayBuffer>;
  used = 0;
  /** The start of the batch: the bytes before it have already been taken. */
  #start = 0;
  readonly #writer: MessageWriter;
  /** Larger messages are emitted in separate memory. */
  readonly #largest: number;
  readonly #allocate: () => Uint8Array<ArrayBuffer>;
  readonly #emit: (chunk: Uint8Array<ArrayBuffer>) => void;
  readonly #takeSpare: () => Uint8Array<ArrayBuffer> | null;
  #busy = false;

  /**
   * `allocate` returns a block, new or recycled, always of the same size. `emit` receives the chunks and owns their memory.
   * Messages above `largest` bytes become separate chunks. `takeSpare` may return memory of such a chunk that is free again.
   */
  constructor(
    settings: EncoderSettings,
    largest: number,
    allocate: () => Uint8Array<ArrayBuffer>,
    emit: (chunk: Uint8Array<ArrayBuffer>) => void,
    takeSpare: () => Uint8Array<ArrayBuffer> | null = () => null,
  ) {
    this.#writer = new MessageWriter(settings);
    this.#largest = largest;
    this.#allocate = allocate;
    this.#emit = emit;
    this.#takeSpare = takeSpare;
    this.bytes = allocate();
    this.view = new DataView(this.bytes.buffer);
  }

  /** Values written so far. */
  get values(): number {
    return this.#writer.values;
  }

  /** True while a value is encoded: a getter or an extension must not write to the batch. */
  get isBusy(): boolean {
    return this.#busy;
  }

  /** Makes sure that `room` bytes are free at `used`: called by the writer before a message. */
  ready(room: number): void {
    if (this.bytes.length - this.used >= room) return;
    this.flush();
    if (this.used > 0) this.#renew();
  }

  /** Bytes in the batch. */
  get size(): number {
    return this.used - this.#start;
  }

  /** Appends the message of a value and returns its size. An `EncodeError` leaves the batch unchanged. */
  add(value: unknown): number {
    if (this.#busy) throw invalidArgument("a value that is being encoded cannot write to the same stream");
    const writer = this.#writer;
    this.#busy = true;
    try {
      // With little room left the writer uses its own memory; the message is copied if it fits, so that chunks get full.
      writer.message(value, this.bytes.length - this.used < SLAB_ROOM ? null : this);
    } finally {
      this.#busy = false;
    }
    const { bytes, start, pos } = writer;
    if (bytes === this.bytes) this.used = pos;
    else if (this.#isLarge(pos - start)) {
      this.flush();
      this.#emit(this.#takeLarge(writer));
    } else {
      this.append(bytes.subarray(start, pos));
      writer.letGo();
    }
    return pos - start;
  }

  /**
   * Takes a large message from the writer. The message keeps the writer's memory if spare memory can replace it, or if it
   * fills at least half of it. Otherwise it is copied: the message would pin the unused rest.
   */
  #takeLarge(writer: MessageWriter): Uint8Array<ArrayBuffer> {
    const { bytes, start, pos } = writer;
    const spare = this.#takeSpare();
    if (spare !== null || (pos - start) * 2 >= bytes.length) return writer.take(spare);
    const copy = copyOwned(bytes, start, pos);
    writer.letGo();
    return copy;
  }

  /** Appends an encoded message. A large one is emitted as it is. */
  append(message: Uint8Array<ArrayBuffer>): void {
    const size = message.length;
    if (this.#isLarge(size)) {
      this.flush();
      this.#emit(message);
      return;
    }
    this.ready(size);
    this.bytes.set(message, this.used);
    this.used += size;
  }

  #isLarge(size: number): boolean {
    return size > this.#largest || size > this.bytes.length;
  }

  /** Emits the batch, unless it is empty. */
  flush(): void {
    if (this.used === this.#start) return;
    const chunk = this.#chunk();
    this.#renew();
    this.#emit(chunk);
  }

  /** Returns the batch instead of emitting it. Its bytes stay unchanged; the next batch uses the rest of the block. */
  cut(): Uint8Array<ArrayBuffer> {
    const chunk = this.#chunk();
    this.#start = this.used;
    return chunk;
  }

  #chunk(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.bytes.buffer, this.bytes.byteOffset + this.#start, this.used - this.#start);
  }

  #renew(): void {
    this.bytes = this.#allocate();
    this.view = new DataView(this.bytes.buffer);
    this.used = this.#start = 0;
  }
}
