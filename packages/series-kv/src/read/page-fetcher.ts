/**
 * Reads pages by their keys. Cached pages are returned without a call of the driver. Concurrent requests become one call of the driver. A
 * page that several of these requests need is read once: 16 metrics share a page. A request never joins a call that
 * is already running: after that call began, points may have moved from the head (the newest points, in memory) to pages.
 */
import type { Store } from "../drivers/driver.js";

/** Requests are joined in one call up to this number of keys. A larger request is a call by itself. */
const MAX_KEYS = 256;
/** The size of the hash table for the keys of several requests, as an exponent of 2: four places for each of MAX_KEYS keys. */
const TABLE_BITS = 10;
/** Maximum number of concurrent calls of the driver for a column. */
const MAX_CALLS = 2;

type Pages = (Uint8Array | undefined)[];

interface Request {
  readonly keys: readonly Uint8Array[];
  resolve(pages: Pages): void;
  reject(error: unknown): void;
}

/** Reads pages of one column. */
export class PageFetcher {
  readonly #store: Store;
  readonly #column: number;
  #waiting: Request[] = [];
  #calls = 0;
  #isScheduled = false;
  readonly #distinct = new DistinctKeys();

  constructor(store: Store, column: number) {
    this.#store = store;
    this.#column = column;
  }

  /** Returns the pages of keys, in order. */
  get(keys: readonly Uint8Array[]): Promise<Pages> {
    const cached = this.#cached(keys);
    return cached === undefined ? this.#ask(keys) : Promise.resolve(cached);
  }

  /** Returns the pages of keys if all of them are cached. */
  #cached(keys: readonly Uint8Array[]): Pages | undefined {
    const store = this.#store;
    if (store.cached === undefined) return undefined;
    const pages: Pages = [];
    for (const key of keys) {
      const page = store.cached(this.#column, key);
      if (page === undefined) return undefined;
      pages.push(page);
    }
    return pages;
  }

  #ask(keys: readonly Uint8Array[]): Promise<Pages> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ keys, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#calls >= MAX_CALLS || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    // Delayed to the end of this iteration of the event loop: other queries of it join the call.
    process.nextTick(() => {
      this.#isScheduled = false;
      this.#call();
    });
  }

  #call(): void {
    let count = 0;
    let n = 0;
    do count += this.#waiting[n++]!.keys.length;
    while (n < this.#waiting.length && count + this.#waiting[n]!.keys.length <= MAX_KEYS);
    const requests = this.#waiting.splice(0, n);
    const distinct = n === 1 ? requests[0]!.keys : this.#distinct.of(requests);
    // The index of each requested key in the list; undefined if all keys differ.
    const { places } = n === 1 ? ALL_DIFFER : this.#distinct;
    this.#calls++;
    this.#store.getMany(this.#column, distinct, KEEP).then(
      (pages) => {
        this.#ended();
        let at = 0;
        for (const { keys, resolve } of requests) {
          const end = at + keys.length;
          resolve(places === undefined ? pages.slice(at, end) : places.slice(at, end).map((place) => pages[place]));
          at = end;
        }
      },
      (error: unknown) => {
        this.#ended();
        for (const request of requests) request.reject(error);
      },
    );
    this.#schedule();
  }

  #ended(): void {
    this.#calls--;
    this.#schedule();
  }
}

/** Pages are cached: a page is often read again, or for another metric. */
const KEEP = { keep: true } as const;
const ALL_DIFFER = { places: undefined } as const;

/** Finds equal keys. Most calls have none, so it must be cheap. */
class DistinctKeys {
  /** The hash table: indexes of keys plus 1. */
  readonly #table = new Int16Array(2 ** TABLE_BITS);
  /** For each key of the last requests, its index among the different keys; undefined if all differ. */
  places: number[] | undefined;

  /** Returns the different keys of requests. */
  of(requests: readonly { readonly keys: readonly Uint8Array[] }[]): Uint8Array[] {
    this.#table.fill(0);
    this.places = undefined;
    const list: Uint8Array[] = [];
    let count = 0;
    for (const { keys } of requests) {
      for (const key of keys) {
        const place = this.#place(key, list);
        if (place < count && this.places === undefined) this.places = Array.from(list, (_, i) => i);
        this.places?.push(place);
        count++;
      }
    }
    return list;
  }

  /** Returns the index of a key in the list, and adds a missing key. */
  #place(key: Uint8Array, list: Uint8Array[]): number {
    const table = this.#table;
    // The last four bytes of a key differ most: they are the low half of the group, and the minute. See docs/series-format.md.
    const low = (key[4]! << 24) | (key[5]! << 16) | (key[6]! << 8) | key[7]!;
    for (let i = Math.imul(low, 0x9e3779b1) >>> (32 - TABLE_BITS); ; i = (i + 1) % table.length) {
      const place = table[i]! - 1;
      if (place < 0) {
        table[i] = list.length + 1;
        return list.push(key) - 1;
      }
      if (areEqual(list[place]!, key)) return place;
    }
  }
}

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
