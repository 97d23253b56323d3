import { invalidArgument, MoonpackError } from "./errors.js";
import { idleAfter } from "./kept-memory.js";

const INITIAL_BYTES = 8192;

/**
 * The growing memory under every writer. Hot code tests once that there is room, and then writes to `bytes` and `view` at
 * `pos` itself.
 *
 * The size doubles, so the bytes that growth copies stay below the final size: writing n bytes is linear.
 */
export class GrowingMemory {
  /** The whole buffer, valid up to `pos`. Replaced when it grows. */
  bytes: Uint8Array<ArrayBuffer>;
  /** A view of the whole buffer, replaced together with `bytes`. */
  view: DataView<ArrayBuffer>;
  /** Where the next byte goes. */
  pos = 0;
  /** How often the buffer was replaced by a larger one. */
  growths = 0;
  /** How many bytes those replacements copied. */
  copied = 0;
  /** Messages in a row that used less than a quarter of a large buffer. */
  #idle = 0;

  /** Throws `ERR_LIMIT_BYTES` when `initialBytes` cannot be allocated. */
  constructor(initialBytes: number) {
    this.bytes = allocate(initialBytes);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Continues with other memory. The written bytes are not copied. */
  replace(bytes: Uint8Array<ArrayBuffer>): void {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer);
  }

  /**
   * Replaces the buffer by a larger one with room for `n` bytes at `pos`, and copies the written bytes. Call it only when the
   * room is missing. Throws `ERR_LIMIT_BYTES` when the allocation fails, `ERR_CLOSED` when the buffer is detached.
   */
  grow(n: number): void {
    if (this.bytes.length < this.pos) {
      throw new MoonpackError("ERR_CLOSED", "the written bytes were detached; reset the writer first");
    }
    const need = this.pos + n;
    let capacity = Math.max(this.bytes.length, INITIAL_BYTES);
    while (capacity < need) capacity *= 2;
    const bytes = allocate(capacity);
    bytes.set(this.bytes.subarray(0, this.pos));
    this.copied += this.pos;
    this.growths++;
    this.replace(bytes);
  }

  /**
   * Discards the written bytes. Keeps the memory for the next message, unless it is detached, or large and
   * mostly unused.
   */
  reset(): void {
    const size = this.bytes.length;
    this.#idle = idleAfter(this.#idle, this.pos, size);
    if (size === 0 || this.#idle < 0) this.replace(new Uint8Array(INITIAL_BYTES));
    this.pos = 0;
  }
}

/** Growing memory with checked arguments and a limit: the base class of public writers. */
export class GrowingBuffer extends GrowingMemory {
  /** The most bytes that a message may have. */
  readonly maxBytes: number;

  /** `initialBytes` is a positive integer, `maxBytes` a number of bytes; anything else is `ERR_INVALID_ARGUMENT`. */
  constructor(initialBytes = INITIAL_BYTES, maxBytes = Infinity) {
    if (!Number.isInteger(initialBytes) || initialBytes < 1)
      throw invalidArgument("initialBytes must be a positive integer");
    if (!(maxBytes >= 0)) throw invalidArgument("maxBytes must be a number of bytes");
    super(initialBytes);
    this.maxBytes = maxBytes;
  }

  /**
   * Makes room for `n` bytes at `pos`; fewer may be written. Throws `ERR_LIMIT_BYTES` when the allocation fails, or when more
   * than `maxBytes` are already written. A message can therefore exceed the limit until the next growth, but
   * {@link GrowingBuffer.written} never returns it.
   */
  reserve(n: number): void {
    if (this.pos + n > this.bytes.length) this.grow(n);
  }

  override grow(n: number): void {
    this.limit(0);
    super.grow(n);
  }

  /** Throws `ERR_LIMIT_BYTES` if the message with `n` more bytes exceeds `maxBytes`. */
  protected limit(n: number): void {
    if (this.pos + n > this.maxBytes) {
      throw new MoonpackError("ERR_LIMIT_BYTES", `more than ${this.maxBytes} bytes (maxBytes)`);
    }
  }

  /** Returns a view of the written bytes, valid until the next call on this writer. Throws `ERR_LIMIT_BYTES` above `maxBytes`. */
  written(): Uint8Array<ArrayBuffer> {
    this.limit(0);
    return this.bytes.subarray(0, this.pos);
  }
}

/** Allocates memory. Throws `ERR_LIMIT_BYTES` on failure. */
export function allocate(size: number): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(size);
  } catch (cause) {
    throw new MoonpackError("ERR_LIMIT_BYTES", `no memory for ${size} bytes`, cause);
  }
}
