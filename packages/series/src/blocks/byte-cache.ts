/** A cache of pages of files, index pages and time columns, bounded in bytes. Recently used entries are kept ("second chance"). */

/** An entry of the cache. */
export interface CacheEntry {
  readonly bytes: number;
  /** Set on each use. */
  isUsed: boolean;
  /** Called when the entry is dropped. */
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
      // The last entry is the new one, unless it is the only one.
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
