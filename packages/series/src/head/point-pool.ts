/**
 * The memory pool of the head (docs/series-format.md, section 4): chunks of 8 points. The chunks of a metric and minute form a ring in
 * writing order. Chunks are parts of large arrays and are reused, so writing a point does not allocate.
 *
 * A position is a chunk's number times 8, plus the index in the chunk. Chunk 0 is never used: position 0 means "none".
 */
import { SLOTS } from "../page/page.js";
import { Values64 } from "../page/values.js";

/** Points of a chunk, and the bits of a position that are the index in the chunk. */
export const CHUNK_POINTS = 8;
export const CHUNK_BITS = 3;
/** Points of a slab: the low bits of a position. */
export const SLAB_BITS = 16;
export const SLAB_MASK = (1 << SLAB_BITS) - 1;
const SLAB_CHUNKS = 1 << (SLAB_BITS - CHUNK_BITS);
/** Bytes of a chunk: values, times and link. */
export const CHUNK_BYTES = CHUNK_POINTS * (8 + 2) + 4;

/**
 * Numbers in the record of a group and minute: the position after each slot's last point (0 for empty slots), a bit for each int64 slot
 * and for each slot with points, the group, and the next record of a list (0 at the end).
 */
const RECORD = SLOTS + 3;
/** The places of the last three numbers. */
export const FLAGS = SLOTS;
export const GROUP = FLAGS + 1;
export const NEXT = FLAGS + 2;
const FIRST_RECORDS = 16;

/** Arrays of 65,536 points. */
export interface Slab {
  /** The values. */
  readonly values: Values64;
  /** Times: milliseconds within the minute. */
  readonly times: Uint16Array;
  /** The next chunk of each chunk, in its ring or in the free list; 0 at the end of that list. */
  readonly next: Int32Array;
}

/** All chunks and records of a head. */
export class PointPool {
  /** The slabs, by number. */
  readonly slabs: Slab[] = [];
  /** Records of groups, one after the other; replaced when it grows. The first one is never used. */
  records = new Int32Array(FIRST_RECORDS * RECORD);
  /** Bytes of records, and of the minutes themselves. */
  otherBytes = 0;
  #free = 0;
  #used = 0;
  #freeRecord = 0;
  #recordsEnd = RECORD;

  /** Number of used chunks. */
  get used(): number {
    return this.#used;
  }

  /** Returns a chunk: the new end of the ring that ends with `last`, or a new ring if that is 0. */
  take(last: number): number {
    if (this.#free === 0) this.#grow();
    const chunk = this.#free;
    this.#free = this.after(chunk);
    this.#link(chunk, last === 0 ? chunk : this.after(last));
    if (last !== 0) this.#link(last, chunk);
    this.#used++;
    return chunk;
  }

  #link(chunk: number, next: number): void {
    this.slabs[chunk >>> (SLAB_BITS - CHUNK_BITS)]!.next[chunk & (SLAB_CHUNKS - 1)] = next;
  }

  /** Returns the next chunk; the first one after the last. */
  after(chunk: number): number {
    return this.slabs[chunk >>> (SLAB_BITS - CHUNK_BITS)]!.next[chunk & (SLAB_CHUNKS - 1)]!;
  }

  /** Returns the number of chunks in the ring that ends with `last`. */
  count(last: number): number {
    let n = 1;
    for (let chunk = this.after(last); chunk !== last; chunk = this.after(chunk)) n++;
    return n;
  }

  /** Frees the ring that ends with `last`. */
  giveBack(last: number): void {
    this.#used -= this.count(last);
    const first = this.after(last);
    this.#link(last, this.#free);
    this.#free = first;
  }

  /** Returns the start of an empty record, which begins a list before `next`. */
  takeRecord(group: number, next: number): number {
    let at = this.#freeRecord;
    if (at !== 0) this.#freeRecord = this.records[at + NEXT]!;
    else {
      at = this.#recordsEnd;
      this.#recordsEnd += RECORD;
      if (this.#recordsEnd > this.records.length) {
        const larger = new Int32Array(2 * this.records.length);
        larger.set(this.records);
        this.records = larger;
      }
    }
    this.records[at + FLAGS] = 0;
    this.records[at + GROUP] = group;
    this.records[at + NEXT] = next;
    this.otherBytes += 4 * RECORD;
    return at;
  }

  /** Frees a list of records whose slots are empty. */
  giveBackRecords(first: number): void {
    const { records } = this;
    let last = first;
    for (let at = first; at !== 0; at = records[at + NEXT]!) {
      last = at;
      this.otherBytes -= 4 * RECORD;
    }
    records[last + NEXT] = this.#freeRecord;
    this.#freeRecord = first;
  }

  /** Releases all memory if no chunk is used. No record may be used then. */
  clear(): void {
    if (this.#used !== 0) return;
    this.slabs.length = 0;
    this.records = new Int32Array(FIRST_RECORDS * RECORD);
    this.#recordsEnd = RECORD;
    this.#free = this.#freeRecord = 0;
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
