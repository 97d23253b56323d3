/**
 * Values in memory, by column and key: for drivers whose reads go to another thread, which costs more than reading itself. Bounded in
 * bytes; who came first leaves first.
 *
 * Values lie one after the other in slabs. A slab is never written again once it is full: when the cache is full, the oldest one is
 * let go. So views of values stay as they are, and memory that nobody looks at is collected.
 */

const SLAB_BYTES = 512 * 1024;
/** A value that is larger with its key is not kept: it would leave much of a slab empty. */
const MAX_BYTES = SLAB_BYTES / 8;
/** In front of a key: its column and its length, a byte each. */
const KEY_HEADER = 2;
/**
 * The table has a place for so many bytes of values: a minute page has about 500, and a third of the places is to be empty, since a key
 * may be at few of them.
 */
const BYTES_A_PLACE = 320;
/** Places where a key may be. */
const WAYS = 4;

/** Words of a place: a hash, the slab's number (0: nothing), where the key begins in it, and the bytes of the value. */
const WORDS = 4;
/** The share of the bytes that is left for values: the table takes 16 bytes of 336. */
const VALUES = BYTES_A_PLACE / (BYTES_A_PLACE + 4 * WORDS);
const SLAB = 1;
const AT = 2;
const BYTES = 3;

interface Slab {
  /** Ascending, from 1 on. */
  readonly number: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const NO_SLAB: Slab = { number: 0, bytes: new Uint8Array(0) };

/** Values of one database. Keys of more than 255 bytes are not kept. */
export class ValueCache {
  /** The slab of a number is at its remainder. */
  readonly #slabs: Slab[];
  #current = NO_SLAB;
  #used = 0;
  /** The places of keys, by sets of {@link WAYS}; empty until a value is kept. */
  #table = new Int32Array(0);
  readonly #sets: number;

  /** `maxBytes`: of values, keys and the table. With less than two slabs nothing is kept. */
  constructor(maxBytes: number) {
    const slabs = Math.floor((maxBytes * VALUES) / SLAB_BYTES);
    this.#slabs = Array.from({ length: slabs < 2 ? 0 : slabs }, () => NO_SLAB);
    this.#sets = Math.floor((this.#slabs.length * SLAB_BYTES) / BYTES_A_PLACE / WAYS);
  }

  /** The value of a key, if it is here: a view of memory that is never changed. */
  get(column: number, key: Uint8Array): Uint8Array | undefined {
    if (this.#table.length === 0) return undefined;
    const place = this.#find(hashOf(column, key), column, key);
    if (place < 0) return undefined;
    const { bytes } = this.#slabOf(this.#table[place + SLAB]!);
    const at = this.#table[place + AT]! + KEY_HEADER + key.length;
    return bytes.subarray(at, at + this.#table[place + BYTES]!);
  }

  /** Keeps a copy of a value. */
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

  /** Forgets a key. */
  delete(column: number, key: Uint8Array): void {
    if (this.#table.length === 0) return;
    const place = this.#find(hashOf(column, key), column, key);
    if (place >= 0) this.#table[place + SLAB] = 0;
  }

  /** Forgets all. */
  clear(): void {
    this.#slabs.fill(NO_SLAB);
    // The numbers go on, so that no place of the table finds a slab.
    this.#current = { number: this.#current.number, bytes: NO_SLAB.bytes };
    this.#used = 0;
  }

  #nextSlab(): void {
    // Numbers are words: after 2^31 slabs, half a petabyte, all is forgotten.
    const number = this.#current.number === 0x7fffffff ? 1 : this.#current.number + 1;
    if (number === 1) this.#table.fill(0);
    this.#current = { number, bytes: new Uint8Array(SLAB_BYTES) };
    this.#slabs[number % this.#slabs.length] = this.#current;
    this.#used = 0;
  }

  /** The slab of a number; one without bytes if it has been let go. */
  #slabOf(number: number): Slab {
    const slab = this.#slabs[number % this.#slabs.length]!;
    return slab.number === number ? slab : NO_SLAB;
  }

  /** Where a key is in the table; -1 if it is not there. */
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

  /** Where a key goes: to its own place, one whose value has left, or that of the value that leaves first. */
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
    // The high bits of the hash: any number of sets will do.
    return Math.floor(((hash >>> 0) / 2 ** 32) * this.#sets) * WAYS * WORDS;
  }
}

/** A hash of 32 bits that depends on all bytes. */
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
