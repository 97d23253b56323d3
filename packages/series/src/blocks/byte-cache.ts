/** A cache with a bound in bytes: pages of files, index pages, time columns. An entry that was used lately stays ("second chance"). */

/** One thing in the cache. */
export interface CacheEntry {
  readonly bytes: number;
  /** Set by those who use it. */
  isUsed: boolean;
  /** Called when it leaves the cache. */
  drop(): void;
}

/** All entries of a store. */
export class ByteCache {
  readonly #maxBytes: number;
  readonly #entries: CacheEntry[] = [];
  #hand = 0;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Adds an entry, and drops others until all fit. An entry larger than the cache is dropped at once. */
  add(entry: CacheEntry): void {
    this.#entries.push(entry);
    this.#bytes += entry.bytes;
    while (this.#bytes > this.#maxBytes) this.#dropOne();
  }

  #dropOne(): void {
    const entries = this.#entries;
    for (;;) {
      if (this.#hand >= entries.length) this.#hand = 0;
      const entry = entries[this.#hand]!;
      // The last one is new, unless it is alone.
      if (!entry.isUsed || entries.length === 1) break;
      entry.isUsed = false;
      this.#hand++;
    }
    const entry = entries[this.#hand]!;
    const last = entries.pop()!;
    if (entry !== last) entries[this.#hand++] = last;
    this.#bytes -= entry.bytes;
    entry.drop();
  }

  /** Drops all entries. */
  clear(): void {
    for (const entry of this.#entries) entry.drop();
    this.#entries.length = 0;
    this.#bytes = this.#hand = 0;
  }
}
