/**
 * The entries of the tag index (docs/series-format.md, section 2): for each tag, and each chunk of 4,096 ids, the ids of metrics with the
 * tag. The name is the tag with the empty key.
 */

/** Number of ids in a chunk. */
export const CHUNK = 4096;
const CHUNK_BITS = 12;
/** Maximum length of a list; more ids are a bitmap. */
const MAX_LIST = 255;
const BITMAP_BYTES = CHUNK / 8;

/** Returns the chunk of an id. */
export function chunkOf(id: number): number {
  return id >>> CHUNK_BITS;
}

/** The ids of one chunk as a bitmap of 4,096 bits. */
export class ChunkIds {
  /** The bitmap: bit i stands for the i-th id of the chunk. */
  readonly bits: Uint8Array<ArrayBuffer>;

  constructor(bits: Uint8Array<ArrayBuffer> = new Uint8Array(BITMAP_BYTES)) {
    this.bits = bits;
  }

  /** Reads an entry's value; undefined if it is invalid. */
  static parse(value: Uint8Array): ChunkIds | undefined {
    if (value.length === BITMAP_BYTES) return new ChunkIds(Uint8Array.from(value));
    if (value.length === 0 || value.length % 2 !== 0 || value.length > 2 * MAX_LIST) return undefined;
    const ids = new ChunkIds();
    let before = -1;
    for (let i = 0; i < value.length; i += 2) {
      const k = value[i]! | (value[i + 1]! << 8);
      if (k <= before || k >= CHUNK) return undefined;
      ids.add(k);
      before = k;
    }
    return ids;
  }

  /** Adds an id. */
  add(id: number): void {
    const k = id & (CHUNK - 1);
    this.bits[k >> 3]! |= 1 << (k & 7);
  }

  /** Removes an id. */
  delete(id: number): void {
    const k = id & (CHUNK - 1);
    this.bits[k >> 3]! &= ~(1 << (k & 7));
  }

  /** Returns true if the id is in the bitmap. */
  has(id: number): boolean {
    const k = id & (CHUNK - 1);
    return (this.bits[k >> 3]! & (1 << (k & 7))) !== 0;
  }

  /** Removes the ids that are not in `other`. */
  and(other: ChunkIds): void {
    for (let i = 0; i < BITMAP_BYTES; i++) this.bits[i]! &= other.bits[i]!;
  }

  /** Adds the ids of `other`. */
  or(other: ChunkIds): void {
    for (let i = 0; i < BITMAP_BYTES; i++) this.bits[i]! |= other.bits[i]!;
  }

  /** Removes the ids of `other`. */
  subtract(other: ChunkIds): void {
    for (let i = 0; i < BITMAP_BYTES; i++) this.bits[i]! &= ~other.bits[i]!;
  }

  /** Returns the indexes within the chunk, ascending. */
  list(): number[] {
    const list: number[] = [];
    for (let i = 0; i < BITMAP_BYTES; i++) {
      for (let byte = this.bits[i]!; byte !== 0; byte &= byte - 1) list.push(8 * i + 31 - Math.clz32(byte & -byte));
    }
    return list;
  }

  /** Returns the entry's value; undefined without ids: empty entries do not exist. */
  value(): Uint8Array<ArrayBuffer> | undefined {
    const list = this.list();
    if (list.length === 0) return undefined;
    if (list.length > MAX_LIST) return this.bits.slice();
    const value = new Uint8Array(2 * list.length);
    list.forEach((k, i) => {
      value[2 * i] = k;
      value[2 * i + 1] = k >> 8;
    });
    return value;
  }
}
