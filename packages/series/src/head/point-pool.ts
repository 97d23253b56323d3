/**
 * The memory pool of the head (docs/series-format.md, section 4): chunks of 16 points. The chunks of a metric and minute form a chain in
 * writing order. Chunks are parts of large arrays and are reused, so writing a point does not allocate.
 *
 * A position is a chunk's number times 16, plus the index in the chunk. Chunk 0 is never used: position 0 means "none".
 */
import { Values64 } from "../page/values.js";

/** Points of a chunk, and the bits of a position that are the index in the chunk. */
export const CHUNK_POINTS = 16;
export const CHUNK_BITS = 4;
/** Points of a slab: the low bits of a position. */
export const SLAB_BITS = 16;
export const SLAB_MASK = (1 << SLAB_BITS) - 1;
const SLAB_CHUNKS = 1 << (SLAB_BITS - CHUNK_BITS);
/** Bytes of a chunk: values, times and link. */
export const CHUNK_BYTES = CHUNK_POINTS * (8 + 2) + 4;

/** Arrays of 65,536 points. */
export interface Slab {
  /** The values. */
  readonly values: Values64;
  /** Times: milliseconds within the minute. */
  readonly times: Uint16Array;
  /** The next chunk of each chunk, in its chain or in the free list; 0 at the end. */
  readonly next: Int32Array;
}

/** All chunks of a head. */
export class PointPool {
  /** The slabs, by number. */
  readonly slabs: Slab[] = [];
  /** Bytes of the slabs. */
  otherBytes = 0;
  #free = 0;
  #used = 0;

  /** Number of used chunks. */
  get used(): number {
    return this.#used;
  }

  /** Returns a chunk that starts a new chain. */
  take(): number {
    if (this.#free === 0) this.#grow();
    const chunk = this.#free;
    const { next } = this.slabs[chunk >>> (SLAB_BITS - CHUNK_BITS)]!;
    const at = chunk & (SLAB_CHUNKS - 1);
    this.#free = next[at]!;
    next[at] = 0;
    this.#used++;
    return chunk;
  }

  /** Links a chunk to the next one. */
  link(chunk: number, next: number): void {
    this.slabs[chunk >>> (SLAB_BITS - CHUNK_BITS)]!.next[chunk & (SLAB_CHUNKS - 1)] = next;
  }

  /** Returns the next chunk; 0 after the last. */
  after(chunk: number): number {
    return this.slabs[chunk >>> (SLAB_BITS - CHUNK_BITS)]!.next[chunk & (SLAB_CHUNKS - 1)]!;
  }

  /** Frees a chain of `count` chunks. */
  giveBack(first: number, last: number, count: number): void {
    this.link(last, this.#free);
    this.#free = first;
    this.#used -= count;
  }

  /** Releases all memory if no chunk is used. */
  clear(): void {
    if (this.#used !== 0) return;
    this.slabs.length = 0;
    this.#free = 0;
  }

  #grow(): void {
    const first = this.slabs.length * SLAB_CHUNKS;
    const next = new Int32Array(SLAB_CHUNKS);
    // The free list ascends, so that points of one scrape are adjacent in memory.
    for (let i = 0; i < SLAB_CHUNKS - 1; i++) next[i] = first + i + 1;
    this.slabs.push({ values: new Values64(1 << SLAB_BITS), times: new Uint16Array(1 << SLAB_BITS), next });
    this.#free = first === 0 ? 1 : first;
  }
}
