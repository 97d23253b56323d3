/** Free blocks that are kept for the next chunks. */
const KEPT_BLOCKS = 2;
/** Total size of the free memory of large messages that is kept. */
const KEPT_LARGE_BYTES = 1024 * 1024;

/** A pool of equal blocks of memory for chunks, and of the memory of large messages. Released memory is used again. */
export class ChunkPool {
  /** Size of a block in bytes. */
  readonly size: number;
  #freeBlocks: Uint8Array<ArrayBuffer>[] = [];
  /** Free memory of large messages, and its total size. */
  #freeLarge: Uint8Array<ArrayBuffer>[] = [];
  #freeLargeBytes = 0;

  constructor(size: number) {
    this.size = size;
  }

  /** Returns a block: a free one, or a new one. */
  allocate(): Uint8Array<ArrayBuffer> {
    return this.#freeBlocks.pop() ?? new Uint8Array(this.size);
  }

  /** Returns the free memory of a large message, or null. */
  takeSpare(): Uint8Array<ArrayBuffer> | null {
    const large = this.#freeLarge.pop();
    if (large === undefined) return null;
    this.#freeLargeBytes -= large.length;
    return large;
  }

  /**
   * Takes back the memory of a chunk, unless the chunk is a copy. Neither the chunk nor anything else of its buffer may be
   * referenced any more.
   */
  release(chunk: Uint8Array<ArrayBuffer>): void {
    const { buffer } = chunk;
    const { byteLength } = buffer;
    if (byteLength === this.size) {
      if (this.#freeBlocks.length < KEPT_BLOCKS) this.#freeBlocks.push(new Uint8Array(buffer));
    } else if (byteLength > chunk.length && this.#freeLargeBytes + byteLength <= KEPT_LARGE_BYTES) {
      this.#freeLarge.push(new Uint8Array(buffer));
      this.#freeLargeBytes += byteLength;
    }
  }

  /**
   * Returns the bytes of a chunk for a receiver that may keep them for ever. A chunk that fills at most a quarter of its block
   * is copied, by `Buffer.from`, and the block is released: a chunk must not pin a multiple of its size.
   */
  detach(chunk: Uint8Array<ArrayBuffer>): Uint8Array {
    if (chunk.buffer.byteLength !== this.size || chunk.length * 4 > this.size) return chunk;
    const copy = Buffer.from(chunk);
    this.release(chunk);
    return copy;
  }

  /** Drops all free memory. */
  clear(): void {
    this.#freeBlocks = [];
    this.#freeLarge = [];
    this.#freeLargeBytes = 0;
  }
}
