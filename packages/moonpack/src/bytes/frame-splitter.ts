import { allocate } from "./buffer.js";
import { invalidArgument, MoonpackError, shifted } from "./errors.js";
import { type FrameOptions, type FramePrefix, frameSettings, frameTooLarge } from "./frames.js";
import { type BytesInput, toBytes, truncated } from "./input.js";
import { choiceOption, ownOption } from "./options.js";
import { ByteReader } from "./reader.js";
import { copyOwned } from "./slab.js";
import { WaitingParts } from "./waiting-parts.js";

/** The options of a {@link FrameSplitter}. */
export interface FrameSplitterOptions extends FrameOptions {
  /**
   * `copy` (default): each frame owns its memory. `view`: a frame within one chunk is a view of the chunk, so the chunk
   * must not change while the frame is in use. A frame that spans chunks is always a copy.
   */
  readonly frames?: "copy" | "view";
}

/** The names of {@link FrameSplitterOptions}. */
export const SPLITTER_OPTIONS: readonly string[] = ["prefix", "maxFrameBytes", "frames"];
const EMPTY = new Uint8Array(0);
/** The first size of the memory for a frame that spans chunks. */
const FIRST_BUFFER = 4096;
/** The size of the longest prefix. */
const LONGEST_PREFIX = 5;

/**
 * Splits a stream into frames: push chunks, pull payloads. The frames, and the errors with their offsets, do not depend on where
 * the chunks end. The work is linear in the bytes, and a declared length takes no memory before its bytes arrive.
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
  /** The current chunk: `#chunk[#pos..#end)` is unread, and its first byte is byte `#base` of the stream. */
  #chunk: Uint8Array<ArrayBuffer> = EMPTY;
  #pos = 0;
  #end = 0;
  #base = 0;
  /** Chunks that were pushed before the current chunk was read. */
  readonly #waiting = new WaitingParts();
  /** The bytes of an incomplete prefix. */
  readonly #head = new Uint8Array(LONGEST_PREFIX);
  #headSize = 0;
  readonly #prefixReader = new ByteReader(this.#head);
  /** The payload size of the open frame; -1 while its prefix is incomplete. */
  #length = -1;
  /** Its payload bytes from earlier chunks. */
  #buffered: Uint8Array<ArrayBuffer> = EMPTY;
  #bufferedSize = 0;
  /** The position of the open frame in the stream. */
  #frameAt = 0;
  #payloadAt = 0;
  #closed = false;

  /** `ERR_INVALID_ARGUMENT` for an invalid option. */
  constructor(options?: FrameSplitterOptions) {
    const { prefix, maxFrameBytes } = frameSettings(options, ["frames"]);
    this.#prefix = prefix;
    this.#maxFrameBytes = maxFrameBytes;
    this.#views = choiceOption("frames", ownOption(options, "frames"), ["copy", "view"]) === "view";
  }

  /**
   * Takes the next chunk and returns the splitter: iterate over it for the frames that are now complete. The chunk is read while
   * you iterate. You may reuse it after the iteration, unless `frames` is `view`. If you push a chunk before the previous one is
   * read, it is copied. Throws `ERR_CLOSED` after an error or `end`.
   */
  push(bytes: BytesInput): this {
    if (this.#closed) {
      throw new MoonpackError("ERR_CLOSED", "the splitter is closed: its stream has ended or was invalid");
    }
    const chunk = toBytes(bytes);
    if (this.#waiting.left === 0 && this.#pos === this.#end) this.#setChunk(chunk, chunk.length);
    else if (this.#views) this.#waiting.add(chunk);
    else this.#waiting.addCopy(chunk);
    return this;
  }

  /** Iterates over the complete frames in order. You may stop and continue later. Errors as in {@link FrameSplitter.next}. */
  [Symbol.iterator](): Iterator<Uint8Array<ArrayBuffer>> {
    return {
      next: () => {
        const value = this.next();
        return value === null ? { done: true, value: undefined } : { done: false, value };
      },
    };
  }

  /**
   * Returns the payload of the next frame, or null when it is not complete yet. Throws `ERR_FRAME_TOO_LARGE` for a length above the
   * limit, before it buffers any of it, and the errors of a varint, all at the frame's first byte. An error closes the
   * splitter, since the start of the next frame is then unknown.
   */
  next(): Uint8Array<ArrayBuffer> | null {
    if (this.#closed) return null;
    try {
      let frame = this.#read();
      while (frame === null && this.#waiting.left > 0) {
        const { bytes, size } = this.#waiting.take()!;
        this.#setChunk(bytes, size);
        frame = this.#read();
      }
      return frame;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /**
   * Ends the stream and closes the splitter. Throws `ERR_TRUNCATED` at the first byte of an incomplete frame. Pull all frames
   * before you call it: the others are lost.
   */
  end(): void {
    if (this.#closed) return;
    const missing = this.#missing();
    this.close();
    if (missing > 0) throw truncated(this.#frameAt, missing);
  }

  /** Closes the splitter and releases its memory: for a reader that needs no more frames. */
  close(): void {
    this.#closed = true;
    this.#releaseChunk();
    this.#waiting.clear();
    this.#bufferedSize = this.#headSize = 0;
    this.#buffered = EMPTY;
  }

  /** The least number of bytes that the open frame lacks; 0 between two frames. */
  #missing(): number {
    if (this.#length >= 0) return this.#length - this.#bufferedSize;
    if (this.#headSize === 0) return 0;
    return this.#prefix === "uvar" ? 1 : 4 - this.#headSize;
  }

  /** The number of bytes read from the stream. */
  get offset(): number {
    return this.#base + this.#pos;
  }

  /** The position in the stream of the last pulled frame's payload. */
  get payloadAt(): number {
    return this.#payloadAt;
  }

  /** The number of bytes pushed and not yet read. */
  get left(): number {
    return this.#end - this.#pos + this.#waiting.left;
  }

  /** The number of buffered bytes of an incomplete frame. */
  get buffered(): number {
    return this.#bufferedSize + this.#headSize;
  }

  /** True after `end`, `close` or an error: it takes no more chunks. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Makes the first `size` bytes of `chunk` the current chunk. */
  #setChunk(chunk: Uint8Array<ArrayBuffer>, size: number): void {
    this.#base += this.#pos;
    this.#chunk = chunk;
    this.#pos = 0;
    this.#end = size;
  }

  /** The next frame of the current chunk, or null when all of the chunk is read. */
  #read(): Uint8Array<ArrayBuffer> | null {
    if (this.#chunk.length < this.#end) throw invalidArgument("a chunk was detached before it was read");
    if (this.#length < 0 && !this.#readPrefix()) return this.#releaseChunk();
    const missing = this.#missing();
    const pos = this.#pos;
    const left = this.#end - pos;
    if (left < missing) {
      this.#buffer(left);
      return this.#releaseChunk();
    }
    let frame: Uint8Array<ArrayBuffer>;
    if (this.#bufferedSize > 0) {
      this.#buffer(missing);
      frame = this.#buffered; // grown to exactly the frame's length
      this.#buffered = EMPTY;
      this.#bufferedSize = 0;
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

  /** Continues to read the prefix; false when it does not end in the chunk. */
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

  /** The length in the complete prefix. */
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

  /** Buffers `n` bytes of the chunk. The memory doubles, up to the frame's length, and never ahead of the bytes received. */
  #buffer(n: number): void {
    const size = this.#bufferedSize + n;
    if (size > this.#buffered.length) {
      const larger = allocate(Math.min(this.#length, Math.max(FIRST_BUFFER, 2 * this.#buffered.length, size)));
      larger.set(this.#buffered.subarray(0, this.#bufferedSize));
      this.#buffered = larger;
    }
    this.#buffered.set(this.#chunk.subarray(this.#pos, this.#pos + n), this.#bufferedSize);
    this.#bufferedSize = size;
    this.#pos += n;
  }

  /** Releases the current chunk, which is completely read. */
  #releaseChunk(): null {
    this.#setChunk(EMPTY, 0);
    return null;
  }
}
