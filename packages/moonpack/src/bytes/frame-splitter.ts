import { allocate } from "./buffer.js";
import { invalidArgument, MoonpackError, shifted } from "./errors.js";
import { type FrameOptions, type FramePrefix, frameSettings, frameTooLarge } from "./frames.js";
import { type BytesInput, toBytes, truncated } from "./input.js";
import { choiceOption, ownOption } from "./options.js";
import { ByteReader } from "./reader.js";
import { copyOwned } from "./slab.js";

/** Options of a {@link FrameSplitter}. */
export interface FrameSplitterOptions extends FrameOptions {
  /**
   * `copy` (default): frames own their memory. `view`: a frame that lies in one chunk is a window on it, without a copy;
   * chunks must not be written to as long as somebody holds such a frame. One that chunks cut owns its memory always.
   */
  readonly frames?: "copy" | "view";
}

const EMPTY = new Uint8Array(0);
/** Memory for a frame that chunks cut starts here. */
const FIRST_HELD = 4096;
/** Bytes of the longest prefix. */
const LONGEST_PREFIX = 5;

/**
 * Splits bytes that come in chunks into their frames: push bytes, pull payloads. The same frames, and the same errors at
 * the same offsets, however the bytes are cut. The work is linear in the bytes, and what a length declares takes
 * no memory until its bytes have come.
 *
 * @example
 * const splitter = new FrameSplitter({ prefix: "u32be" });
 * for await (const chunk of socket) for (const frame of splitter.push(chunk)) handle(frame);
 * splitter.end(); // ERR_TRUNCATED if the bytes ended inside a frame
 */
export class FrameSplitter implements Iterable<Uint8Array<ArrayBuffer>> {
  readonly #prefix: FramePrefix;
  readonly #maxFrameBytes: number;
  readonly #views: boolean;
  /** The chunk being read: `#chunk[#pos..#end)` is left; its first byte is byte `#base` of the stream. */
  #chunk: Uint8Array<ArrayBuffer> = EMPTY;
  #pos = 0;
  #end = 0;
  #base = 0;
  /** Chunks that were pushed before those in front of them were read. */
  #waiting: Uint8Array<ArrayBuffer>[] = [];
  #taken = 0;
  #waitingBytes = 0;
  /** The bytes of a prefix that has not come whole. */
  readonly #head = new Uint8Array(LONGEST_PREFIX);
  #headSize = 0;
  readonly #prefixReader = new ByteReader(this.#head);
  /** Payload bytes of the open frame; -1 while its prefix is not complete. */
  #length = -1;
  /** Those that came in earlier chunks. */
  #held: Uint8Array<ArrayBuffer> = EMPTY;
  #heldSize = 0;
  /** Where in the stream the open frame begins. */
  #frameAt = 0;
  #payloadAt = 0;
  #closed = false;

  /** `ERR_INVALID_ARGUMENT` for an option that makes no sense. */
  constructor(options?: FrameSplitterOptions) {
    const { prefix, maxFrameBytes } = frameSettings(options);
    this.#prefix = prefix;
    this.#maxFrameBytes = maxFrameBytes;
    this.#views = choiceOption("frames", ownOption(options, "frames"), ["copy", "view"]) === "view";
  }

  /**
   * Takes the stream's next bytes and answers the splitter itself: iterate over it for the frames that are complete now. The
   * bytes are read while you iterate and are yours again once it has ended, unless `frames` is `view`; what is pushed
   * before that is copied. `ERR_CLOSED` after an error or `end`.
   */
  push(bytes: BytesInput): this {
    if (this.#closed) {
      throw new MoonpackError("ERR_CLOSED", "the splitter is closed: its bytes have ended or were malformed");
    }
    const chunk = toBytes(bytes);
    if (this.#waiting.length > 0 || this.#pos < this.#end) {
      this.#waiting.push(this.#views ? chunk : copyOwned(chunk, 0, chunk.length));
      this.#waitingBytes += chunk.length;
    } else this.#give(chunk);
    return this;
  }

  /** Frames that are complete, in order; stop when you like and go on later. Errors as {@link FrameSplitter.next}. */
  [Symbol.iterator](): Iterator<Uint8Array<ArrayBuffer>> {
    return {
      next: () => {
        const value = this.next();
        return value === null ? { done: true, value: undefined } : { done: false, value };
      },
    };
  }

  /**
   * The payload of the next frame, or null when its end has not come yet. `ERR_FRAME_TOO_LARGE` for a length above the
   * limit, before a byte of it is kept, and a varint's errors, all at the frame's first byte. What follows such a prefix
   * cannot be told: the splitter is closed then.
   */
  next(): Uint8Array<ArrayBuffer> | null {
    if (this.#closed) return null;
    try {
      let frame = this.#read();
      while (frame === null && this.#takeWaiting()) frame = this.#read();
      return frame;
    } catch (error) {
      this.#close();
      throw error;
    }
  }

  /**
   * The bytes have ended: `ERR_TRUNCATED` at the first byte of a frame that is cut. Pull first: frames that were not are
   * lost. The splitter is closed then.
   */
  end(): void {
    if (this.#closed) return;
    const missing = this.#missing();
    this.#close();
    if (missing > 0) throw truncated(this.#frameAt, missing);
  }

  /** Bytes that the open frame lacks at least; 0 between two frames. */
  #missing(): number {
    if (this.#length >= 0) return this.#length - this.#heldSize;
    if (this.#headSize === 0) return 0;
    return this.#prefix === "uvar" ? 1 : 4 - this.#headSize;
  }

  /** Bytes of the stream that have been read. */
  get offset(): number {
    return this.#base + this.#pos;
  }

  /** Where in the stream the payload of the frame that was pulled last begins. */
  get payloadAt(): number {
    return this.#payloadAt;
  }

  /** Bytes that have been pushed and not been read. */
  get left(): number {
    return this.#end - this.#pos + this.#waitingBytes;
  }

  /** Bytes that are held back of an unfinished frame. */
  get buffered(): number {
    return this.#heldSize + this.#headSize;
  }

  /** Ended, or failed: it takes nothing more. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Goes on to the next chunk that waits; false when there is none. */
  #takeWaiting(): boolean {
    const chunk = this.#waiting[this.#taken];
    if (chunk === undefined) {
      this.#waiting = [];
      this.#taken = 0;
      return false;
    }
    this.#waiting[this.#taken++] = EMPTY; // by index, not shift: a thousand chunks may wait
    this.#waitingBytes -= chunk.length;
    this.#give(chunk);
    return true;
  }

  #give(chunk: Uint8Array<ArrayBuffer>): void {
    this.#base += this.#pos;
    this.#chunk = chunk;
    this.#pos = 0;
    this.#end = chunk.length;
  }

  /** The next frame of the chunk, or null once all of the chunk is read. */
  #read(): Uint8Array<ArrayBuffer> | null {
    if (this.#chunk.length !== this.#end) throw invalidArgument("a chunk was detached before it was read");
    if (this.#length < 0 && !this.#readPrefix()) return this.#letGo();
    const missing = this.#missing();
    const pos = this.#pos;
    const left = this.#end - pos;
    if (left < missing) {
      this.#hold(left);
      return this.#letGo();
    }
    let frame: Uint8Array<ArrayBuffer>;
    if (this.#heldSize > 0) {
      this.#hold(missing);
      frame = this.#held; // grown to the frame's length and no further
      this.#held = EMPTY;
      this.#heldSize = 0;
    } else {
      const chunk = this.#chunk;
      this.#pos += missing;
      frame = this.#views
        ? new Uint8Array(chunk.buffer, chunk.byteOffset + pos, missing)
        : copyOwned(chunk, pos, this.#pos);
    }
    this.#payloadAt = this.offset - frame.length;
    this.#length = -1;
    return frame;
  }

  /** Reads the prefix on; false when its end is not in the chunk. */
  #readPrefix(): boolean {
    if (this.#headSize === 0) this.#frameAt = this.offset;
    const isVarint = this.#prefix === "uvar";
    for (;;) {
      if (this.#pos === this.#end) return false;
      const byte = this.#chunk[this.#pos++]!;
      this.#head[this.#headSize++] = byte;
      if (isVarint ? byte < 0x80 || this.#headSize === LONGEST_PREFIX : this.#headSize === 4) break;
    }
    const length = this.#parsed();
    this.#headSize = 0;
    if (length > this.#maxFrameBytes) throw frameTooLarge(length, this.#maxFrameBytes, this.#frameAt);
    this.#length = length;
    return true;
  }

  /** The length that the complete prefix says. */
  #parsed(): number {
    const reader = this.#prefixReader;
    reader.pos = 0;
    if (this.#prefix !== "uvar") return reader.u32(this.#prefix === "u32le");
    try {
      return reader.uvar32();
    } catch (error) {
      throw error instanceof MoonpackError ? shifted(error, this.#frameAt) : error;
    }
  }

  /** Keeps `n` bytes of the chunk. Memory doubles, never ahead of the bytes that came and never beyond the frame. */
  #hold(n: number): void {
    const size = this.#heldSize + n;
    if (size > this.#held.length) {
      const held = allocate(Math.min(this.#length, Math.max(FIRST_HELD, 2 * this.#held.length, size)));
      held.set(this.#held.subarray(0, this.#heldSize));
      this.#held = held;
    }
    this.#held.set(this.#chunk.subarray(this.#pos, this.#pos + n), this.#heldSize);
    this.#heldSize = size;
    this.#pos += n;
  }

  /** All of the chunk is read: it is the caller's again. */
  #letGo(): null {
    this.#give(EMPTY);
    return null;
  }

  #close(): void {
    this.#closed = true;
    this.#letGo();
    this.#waiting = [];
    this.#taken = this.#waitingBytes = this.#heldSize = this.#headSize = 0;
    this.#held = EMPTY;
  }
}
