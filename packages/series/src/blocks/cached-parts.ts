/** Decoded parts of a block in the cache: time columns and index pages. */
import type { CacheEntry } from "./byte-cache.js";
import type { IndexPage } from "./index-page.js";

/** The times of a chunk, in milliseconds. */
export class TimeColumn implements CacheEntry {
  readonly times: Float64Array<ArrayBuffer>;
  isUsed = true;
  readonly #drop: () => void;

  constructor(times: Float64Array<ArrayBuffer>, drop: () => void) {
    this.times = times;
    this.#drop = drop;
  }

  get bytes(): number {
    return 8 * this.times.length + 200;
  }

  drop(): void {
    this.#drop();
  }
}

/** An index page of a block, in the cache. */
export class CachedIndex implements CacheEntry {
  readonly page: IndexPage;
  readonly bytes: number;
  isUsed = true;
  readonly #drop: () => void;

  constructor(page: IndexPage, drop: () => void) {
    this.page = page;
    this.bytes = page.bytes;
    this.#drop = drop;
  }

  drop(): void {
    this.#drop();
  }
}
