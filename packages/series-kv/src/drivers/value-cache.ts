/**
 * A cache of values by column and key, for drivers that read in another thread, which costs more than the read itself. Bounded in bytes;
 * evicts the oldest values first.
 *
 * Values are stored one after the other in slabs. A full slab is never changed; when the cache is full, the oldest slab is dropped. So views
 * of values stay valid, and unused memory is garbage-collected.
 */

const SLAB_BYTES = 512 * 1024;
/** Maximum size of a value with its key: a larger one would leave much of a slab empty. */
const MAX_BYTES = SLAB_BYTES / 8;
/** Bytes before a key: its column and its length, one byte each. */
const KEY_HEADER = 2;
/**
 * Bytes of values per place of the hash table. A minute page has about 500 bytes, and a third of the places should be empty, since a key can
 * use only a few of them.
 */
const BYTES_A_PLACE = 320;
/** Number of possible places of a key. */
const WAYS = 4;

/** Words of a place: hash, number of the slab (0: empty), offset of the key in it, and length of the value. */
const WORDS = 4;
/** The share of the bytes for values: the table takes 16 of 336 bytes. */
const VALUES = BYTES_A_PLACE / (BYTES_A_PLACE + 4 * WORDS);
const SLAB = 1;
const AT = 2;
const BYTES = 3;

interface Slab {
  /** Numbers of slabs ascend from 1. */
  readonly number: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const NO_SLAB: Slab = { number: 0, bytes: new Uint8Array(0) };

/** The cache of one database. Keys longer than 255 bytes are not cached. */
export class ValueCache {
  /** A ring of slabs: the index is the number modulo the length. */
  readonly #slabs: Slab[];
  #current = NO_SLAB;
  #used = 0;
  /** The hash table, in sets of {@link WAYS} places; empty until a value is cached. */
  #table = new Int32Array(0);
  readonly #sets: number;

  /** `maxBytes` limits values, keys and the table. With less than two slabs the cache stays empty. */
  constructor(maxBytes: number) {
    const slabs = Math.floor((maxBytes * VALUES) / SLAB_BYTES);
    this.#slabs = Array.from({ length: slabs < 2 ? 0 : slabs }, () => NO_SLAB);
    this.#sets = Math.floor((this.#slabs.length * SLAB_BYTES) / BYTES_A_PLACE / WAYS);
  }

  /** Returns the cached value of a key: a view of immutable memory. */
  get(column: number, key: Uint8Array): Uint8Array | undefined {
    if (this.#table.length === 0) return undefined;
    const place = this.#find(hashOf(column, key), column, key);
    if (place < 0) return undefined;
    const { bytes } = this.#slabOf(this.#table[place + SLAB]!);
    const at = this.#table[place + AT]! + KEY_HEADER + key.length;
    return bytes.subarray(at, at + this.#table[place + BYTES]!);
  }

  /** Caches a copy of a value. */
  set(column: number, key: Uint8Array, value: Uint8Array): void {
    const size = KEY_HEADER + key.length + value.length;
    if (this.#slabs.length === 0 || size > MAX_BYTES || key.length > 255) return;
    if (this.#table.length === 0) this.#table = new Int32Array(this.#sets * WAYS * WORDS);
    if (this.#used + size > this.#current.bytes.length) this.#nextSlab();
    const hash = hashOf(column, key);
    const place = this.#placeFor(hash, column, key);
    const { number, bytes } = this.#current;
    const table = this.#table;
    table[place] = hash;
    table[place + SLAB] = number;
    table[place + AT] = this.#used;
    table[place + BYTES] = value.length;
    bytes[this.#used] = column;
    bytes[this.#used + 1] = key.length;
    bytes.set(key, this.#used + KEY_HEADER);
    bytes.set(value, this.#used + KEY_HEADER + key.length);
    this.#used += size;
  }

  /** Removes a key. */
  delete(column: number, key: Uint8Array): void {
    if (this.#table.length === 0) return;
    const place = this.#find(hashOf(column, key), column, key);
    if (place >= 0) this.#table[place + SLAB] = 0;
  }

  /** Removes all values. */
  clear(): void {
    this.#slabs.fill(NO_SLAB);
    // Numbers of slabs continue to ascend, so old places of the table do not match new slabs.
    this.#current = { number: this.#current.number, bytes: NO_SLAB.bytes };
    this.#used = 0;
  }

  #nextSlab(): void {
    // Numbers are words: after 2^31 slabs, half a petabyte, the cache is cleared.
    const number = this.#current.number === 0x7fffffff ? 1 : this.#current.number + 1;
    if (number === 1) this.#table.fill(0);
    this.#current = { number, bytes: new Uint8Array(SLAB_BYTES) };
    this.#slabs[number % this.#slabs.length] = this.#current;
    this.#used = 0;
  }

  /** Returns the slab with a number; an empty one if it has been dropped. */
  #slabOf(number: number): Slab {
    const slab = this.#slabs[number % this.#slabs.length]!;
    return slab.number === number ? slab : NO_SLAB;
  }

  /** Returns the place of a key in the table; -1 if it is not there. */
  #find(hash: number, column: number, key: Uint8Array): number {
    const table = this.#table;
    const first = this.#firstOf(hash);
    for (let place = first; place < first + WAYS * WORDS; place += WORDS) {
      if (table[place] !== hash || table[place + SLAB] === 0) continue;
      const { bytes } = this.#slabOf(table[place + SLAB]!);
      if (bytes.length > 0 && isAt(bytes, table[place + AT]!, column, key)) return place;
    }
    return -1;
  }

  /** Returns the place for a key: its current place, a place with a dropped value, or the place with the oldest value. */
  #placeFor(hash: number, column: number, key: Uint8Array): number {
    const own = this.#find(hash, column, key);
    if (own >= 0) return own;
    const table = this.#table;
    const first = this.#firstOf(hash);
    let oldest = first;
    for (let place = first; place < first + WAYS * WORDS; place += WORDS) {
      if (this.#slabOf(table[place + SLAB]!) === NO_SLAB) return place;
      if (table[place + SLAB]! < table[oldest + SLAB]!) oldest = place;
    }
    return oldest;
  }

  #firstOf(hash: number): number {
    // Uses the high bits of the hash, so that the number of sets is arbitrary.
    return Math.floor(((hash >>> 0) / 2 ** 32) * this.#sets) * WAYS * WORDS;
  }
}

/** Returns a 32-bit hash of all bytes. */
function hashOf(column: number, key: Uint8Array): number {
  let hash = column + 1;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key[i]!, 0x9e3779b1) ^ (hash >>> 15);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}

function isAt(bytes: Uint8Array, at: number, column: number, key: Uint8Array): boolean {
  if (bytes[at] !== column || bytes[at + 1] !== key.length) return false;
  for (let i = 0; i < key.length; i++) if (bytes[at + KEY_HEADER + i] !== key[i]) return false;
  return true;
}
