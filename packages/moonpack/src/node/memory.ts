/** Pieces of memory that are kept for the next chunks. */
const KEPT = 2;
/** Memory of larger messages is kept up to here, all together. */
const KEPT_LARGE_BYTES = 1024 * 1024;

/** Memory that chunks are gathered in, in pieces of one size, which are used again where nobody holds them any more. */
export class ChunkMemory {
  /** Bytes of a piece. */
  readonly size: number;
  #free: Uint8Array<ArrayBuffer>[] = [];
  /** Memory that large messages were in, and its bytes. */
  #large: Uint8Array<ArrayBuffer>[] = [];
  #largeBytes = 0;

  constructor(size: number) {
    this.size = size;
  }

  /** A piece: used before, or new. */
  allocate(): Uint8Array<ArrayBuffer> {
    return this.#free.pop() ?? new Uint8Array(this.size);
  }

  /** Memory of a large message that is free again, if there is any. */
  spare(): Uint8Array<ArrayBuffer> | null {
    const large = this.#large.pop();
    if (large === undefined) return null;
    this.#largeBytes -= large.length;
    return large;
  }

  /** Nobody holds this chunk any more, or anything else of its buffer: it may be used again, unless it is a copy. */
  release(chunk: Uint8Array<ArrayBuffer>): void {
    const { buffer } = chunk;
    const { byteLength } = buffer;
    if (byteLength === this.size) {
      if (this.#free.length < KEPT) this.#free.push(new Uint8Array(buffer));
    } else if (byteLength > chunk.length && this.#largeBytes + byteLength <= KEPT_LARGE_BYTES) {
      this.#large.push(new Uint8Array(buffer));
      this.#largeBytes += byteLength;
    }
  }

  /**
   * The same bytes for somebody who may keep them for good. Where they fill no quarter of their piece, a copy, as
   * `Buffer.from` makes it, and the piece is free again: a chunk must not pin many times its size.
   */
  give(chunk: Uint8Array<ArrayBuffer>): Uint8Array {
    if (chunk.buffer.byteLength !== this.size || chunk.length * 4 > this.size) return chunk;
    const copy = Buffer.from(chunk);
    this.release(chunk);
    return copy;
  }

  /** Lets all memory go. */
  clear(): void {
    this.#free = [];
    this.#large = [];
    this.#largeBytes = 0;
  }
}
