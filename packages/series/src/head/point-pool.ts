/**
 * The memory of the head (docs/series-format.md, section 4): points in chunks of 16, chained for each metric and minute in the order
 * in which they were written. Chunks are taken from large arrays and given back, so a written point allocates nothing.
 *
 * A position is a chunk's number times 16, plus the place in the chunk. Chunk 0 is never given out: position 0 means "none".
 */
import { Values64 } from "../page/values.js";

/** Points of a chunk, and the bits that tell its place. */
export const CHUNK_POINTS = 16;
export const CHUNK_BITS = 4;
/** Points of a slab: the low bits of a position. */
export const SLAB_BITS = 16;
export const SLAB_MASK = (1 << SLAB_BITS) - 1;
const SLAB_CHUNKS = 1 << (SLAB_BITS - CHUNK_BITS);
/** A chunk's values, times and link. */
export const CHUNK_BYTES = CHUNK_POINTS * (8 + 2) + 4;

/** The arrays of 65,536 points. */
export interface Slab {
  readonly values: Values64;
  /** Milliseconds in the minute. */
  readonly times: Uint16Array;
  /** The chunk after each chunk of the slab, in its chain or in the list of free ones; 0 at the end. */
  readonly next: Int32Array;
}

/** All chunks of a head. */
export class PointPool {
  readonly slabs: Slab[] = [];
  /** Bytes of what keeps the chunks together. */
  otherBytes = 0;
  #free = 0;
  #used = 0;

  /** Chunks that are taken. */
  get used(): number {
    return this.#used;
  }

  /** A chunk of its own chain. */
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

  /** Chains a chunk to another. */
  link(chunk: number, next: number): void {
    this.slabs[chunk >>> (SLAB_BITS - CHUNK_BITS)]!.next[chunk & (SLAB_CHUNKS - 1)] = next;
  }

  /** The chunk after a chunk; 0 after the last. */
  after(chunk: number): number {
    return this.slabs[chunk >>> (SLAB_BITS - CHUNK_BITS)]!.next[chunk & (SLAB_CHUNKS - 1)]!;
  }

  /** Gives a chain of `count` chunks back. */
  giveBack(first: number, last: number, count: number): void {
    this.link(last, this.#free);
    this.#free = first;
    this.#used -= count;
  }

  /** Gives all memory back to the system, when no chunk is taken. */
  clear(): void {
    if (this.#used !== 0) return;
    this.slabs.length = 0;
    this.#free = 0;
  }

  #grow(): void {
    const first = this.slabs.length * SLAB_CHUNKS;
    const next = new Int32Array(SLAB_CHUNKS);
    // The list runs upwards: neighbours of a scrape are neighbours in memory.
    for (let i = 0; i < SLAB_CHUNKS - 1; i++) next[i] = first + i + 1;
    this.slabs.push({ values: new Values64(1 << SLAB_BITS), times: new Uint16Array(1 << SLAB_BITS), next });
    this.#free = first === 0 ? 1 : first;
  }
}
