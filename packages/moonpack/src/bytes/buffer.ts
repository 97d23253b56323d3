import { invalidArgument, MoonpackError } from "./errors.js";

const INITIAL_BYTES = 8192;
/** Memory up to here is kept between messages. */
const KEPT_BYTES = 0x100000;
/** Memory up to here is kept while messages need it, see {@link GrowingMemory.reset}; more never: one huge message must not pin its size. */
const KEPT_IN_USE_BYTES = 0x1000000;
/** So many messages in a row that leave three quarters of it unused give large memory back. */
const IDLE_MESSAGES = 32;

/**
 * Memory that grows while something is written to it: what every writer stands on. Hot code makes sure of the room once
 * and writes to `bytes` and `view` at `pos` by itself.
 *
 * It grows by doubling, so the bytes copied by growth stay below its final size: writing n bytes is linear.
 */
export class GrowingMemory {
  /** The whole buffer. Valid up to `pos`; replaced when it grows. */
  bytes: Uint8Array<ArrayBuffer>;
  /** A view over the whole buffer, replaced together with `bytes`. */
  view: DataView<ArrayBuffer>;
  /** Where the next byte goes. */
  pos = 0;
  /** How often the buffer was replaced by a larger one. */
  growths = 0;
  /** How many bytes those replacements copied. */
  copied = 0;
  /** Messages in a row that left most of a large buffer unused. */
  #idle = 0;

  constructor(initialBytes: number) {
    this.bytes = allocate(initialBytes);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Replaces the buffer by one that has room for `n` bytes at `pos`. */
  protected grow(n: number): void {
    if (this.bytes.length < this.pos) {
      throw new MoonpackError("ERR_CLOSED", "what was written has been transferred away; reset the writer first");
    }
    const need = this.pos + n;
    let capacity = Math.max(this.bytes.length, INITIAL_BYTES);
    while (capacity < need) capacity *= 2;
    const bytes = allocate(capacity);
    bytes.set(this.bytes.subarray(0, this.pos));
    this.copied += this.pos;
    this.growths++;
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer);
  }

  /**
   * Forgets what was written and keeps the memory for the next message, unless somebody took it away (a transferred
   * view) or it is large and out of proportion to what is written.
   */
  reset(): void {
    const size = this.bytes.length;
    if (size === 0 || (size > KEPT_BYTES && this.#isIdle(size))) {
      this.bytes = new Uint8Array(INITIAL_BYTES);
      this.view = new DataView(this.bytes.buffer);
    }
    this.pos = 0;
  }

  #isIdle(size: number): boolean {
    this.#idle = this.pos < size / 4 ? this.#idle + 1 : 0;
    return size > KEPT_IN_USE_BYTES || this.#idle > IDLE_MESSAGES;
  }
}

/** The same for writers whose callers hold it: it checks its arguments, and has a limit. */
export class GrowingBuffer extends GrowingMemory {
  /** Bytes that a message may have at most; more is `ERR_LIMIT_BYTES`. */
  readonly maxBytes: number;

  constructor(initialBytes = INITIAL_BYTES, maxBytes = Infinity) {
    if (!Number.isInteger(initialBytes) || initialBytes < 1)
      throw invalidArgument("initialBytes must be a positive integer");
    if (!(maxBytes >= 0)) throw invalidArgument("maxBytes must be a number of bytes");
    super(initialBytes);
    this.maxBytes = maxBytes;
  }

  /**
   * Makes room for `n` bytes at `pos`; more than will be written may be asked for. `ERR_LIMIT_BYTES` when memory does not
   * allow it, or when more than `maxBytes` are written already (so a message can go beyond that only until the next
   * growth, and never comes out of {@link GrowingBuffer.written}).
   */
  reserve(n: number): void {
    if (this.pos + n > this.bytes.length) this.grow(n);
  }

  protected override grow(n: number): void {
    this.limit(0);
    super.grow(n);
  }

  /** Refuses a message that is, or with `n` bytes more will be, beyond `maxBytes`. */
  protected limit(n: number): void {
    if (this.pos + n > this.maxBytes) {
      throw new MoonpackError("ERR_LIMIT_BYTES", `more than ${this.maxBytes} bytes (maxBytes)`);
    }
  }

  /** A view of what was written; valid until the next call on this writer. `ERR_LIMIT_BYTES` beyond `maxBytes`. */
  written(): Uint8Array<ArrayBuffer> {
    this.limit(0);
    return this.bytes.subarray(0, this.pos);
  }
}

/** New memory; `ERR_LIMIT_BYTES` when there is none. */
export function allocate(size: number): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(size);
  } catch (cause) {
    throw new MoonpackError("ERR_LIMIT_BYTES", `no memory for ${size} bytes`, cause);
  }
}
