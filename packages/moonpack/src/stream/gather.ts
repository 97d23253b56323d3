import { invalidArgument } from "../bytes/errors.js";
import { copyOwned, type WriteTarget } from "../bytes/slab.js";
import type { EncoderSettings } from "../msgpack/options.js";
import { MessageWriter, SLAB_ROOM } from "../msgpack/write.js";

/**
 * Messages one after the other in one piece of memory: each is written where the one before has ended. What is gathered
 * goes out in chunks, in the order of the messages: a chunk when the memory is full, and a message of its own when it is
 * larger than that.
 */
export class Gather implements WriteTarget {
  bytes: Uint8Array<ArrayBuffer>;
  view: DataView<ArrayBuffer>;
  used = 0;
  /** Where what is gathered begins: after what was cut off. */
  #from = 0;
  readonly #writer: MessageWriter;
  /** Larger messages are passed on in their own memory. */
  readonly #largest: number;
  readonly #allocate: () => Uint8Array<ArrayBuffer>;
  readonly #emit: (chunk: Uint8Array<ArrayBuffer>) => void;
  readonly #spare: () => Uint8Array<ArrayBuffer> | null;
  #busy = false;

  /**
   * `allocate` answers memory to gather in: new, or free again, always of the same size. `emit` gets the chunks, with
   * their memory. Messages above `largest` bytes become chunks of their own; `spare` may answer memory of such a chunk
   * that nobody holds any more.
   */
  constructor(
    settings: EncoderSettings,
    largest: number,
    allocate: () => Uint8Array<ArrayBuffer>,
    emit: (chunk: Uint8Array<ArrayBuffer>) => void,
    spare: () => Uint8Array<ArrayBuffer> | null = () => null,
  ) {
    this.#writer = new MessageWriter(settings);
    this.#largest = largest;
    this.#allocate = allocate;
    this.#emit = emit;
    this.#spare = spare;
    this.bytes = allocate();
    this.view = new DataView(this.bytes.buffer);
  }

  /** Values written so far. */
  get values(): number {
    return this.#writer.values;
  }

  /** A value is being encoded: its code must not write here. */
  get isBusy(): boolean {
    return this.#busy;
  }

  /** The writer asks for room before a message. */
  ready(room: number): void {
    if (this.bytes.length - this.used >= room) return;
    this.flush();
    if (this.used > 0) this.#renew();
  }

  /** Bytes that are gathered. */
  get size(): number {
    return this.used - this.#from;
  }

  /** Appends the message of a value; answers its size. An `EncodeError` leaves everything as it was. */
  add(value: unknown): number {
    if (this.#busy) throw invalidArgument("a value that is being encoded cannot write to the same stream");
    const writer = this.#writer;
    this.#busy = true;
    try {
      // Where little is left it is written elsewhere, and copied if it fits: so that chunks get full.
      writer.message(value, this.bytes.length - this.used < SLAB_ROOM ? null : this);
    } finally {
      this.#busy = false;
    }
    const { bytes, start, pos } = writer;
    if (bytes === this.bytes) this.used = pos;
    else if (this.#isLarge(pos - start)) {
      this.flush();
      this.#emit(this.#large(writer));
    } else {
      this.append(bytes.subarray(start, pos));
      writer.letGo();
    }
    return pos - start;
  }

  /**
   * A large message, in the writer's memory if there is other memory for that; else a copy where the message takes less
   * than half of it: new memory, of which the message would pin the rest, costs more.
   */
  #large(writer: MessageWriter): Uint8Array<ArrayBuffer> {
    const { bytes, start, pos } = writer;
    const spare = this.#spare();
    if (spare !== null || (pos - start) * 2 >= bytes.length) return writer.take(spare);
    const copy = copyOwned(bytes, start, pos);
    writer.letGo();
    return copy;
  }

  /** Appends a message that is encoded already; a large one becomes a chunk as it is. */
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

  /** Emits what is gathered. */
  flush(): void {
    if (this.used === this.#from) return;
    const chunk = this.#gathered();
    this.#renew();
    this.#emit(chunk);
  }

  /** What is gathered, instead of emitting it. Its bytes stay as they are; the rest of their memory is gathered in. */
  cut(): Uint8Array<ArrayBuffer> {
    const chunk = this.#gathered();
    this.#from = this.used;
    return chunk;
  }

  #gathered(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.bytes.buffer, this.bytes.byteOffset + this.#from, this.used - this.#from);
  }

  #renew(): void {
    this.bytes = this.#allocate();
    this.view = new DataView(this.bytes.buffer);
    this.used = this.#from = 0;
  }
}
