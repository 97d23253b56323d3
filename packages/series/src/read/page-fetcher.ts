/**
 * Reads pages by their keys. Those that the store has in memory are answered at once. Requests of many queries at the same time become
 * one call of the driver, and a page that several of them ask for is read once: 16 metrics have one. Only requests of one call share
 * pages. Whoever asks while a call is under way may have found that the head had passed points on to pages, and needs pages that are
 * read later.
 */
import type { Store } from "../drivers/driver.js";

/** Keys of one call. */
const MAX_KEYS = 256;
/** The keys of several requests are looked up in a table of 2 to this power, four times as many places as keys. */
const TABLE_BITS = 10;
/** Calls of a column that the driver has at a time. */
const MAX_CALLS = 2;
/** Requests that are answered from memory before the event loop goes on: about half a millisecond of short queries. */
const MAX_ANSWERS = 128;

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
  /** Requests answered from memory since the event loop went on. */
  #answers = 0;
  /** Resolves when the event loop has gone on; undefined while nobody waits for it. */
  #nextTurn: Promise<void> | undefined;

  constructor(store: Store, column: number) {
    this.#store = store;
    this.#column = column;
  }

  /** The pages of keys, in their order. */
  get(keys: readonly Uint8Array[]): Promise<Pages> {
    const cached = this.#cached(keys);
    if (cached === undefined) return this.#ask(keys);
    if (++this.#answers < MAX_ANSWERS) return Promise.resolve(cached);
    // Queries that find all in memory would never let timers and sockets have their turn.
    this.#nextTurn ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#nextTurn = undefined;
        this.#answers = 0;
        resolve();
      });
    });
    return this.#nextTurn.then(() => cached);
  }

  /** All pages of keys, if the store has them in memory. */
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
    // After all that runs now: queries that go on in this turn ask in the same call.
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
    // Where each key of the requests is among them; undefined if all differ.
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

/** Who has read a page often reads it again, or another metric of it. */
const KEEP = { keep: true } as const;
const ALL_DIFFER = { places: undefined } as const;

/** Finds keys that are equal. Most calls have none, so it must cost little. */
class DistinctKeys {
  /** The places of keys, plus 1, by their hash. */
  readonly #table = new Int16Array(2 ** TABLE_BITS);
  /** For each key of the last requests, where it is among the different ones; undefined if all differ. */
  places: number[] | undefined;

  /** The keys of requests, each once. */
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

  /** The place of a key in the list; it is added if it is not there. */
  #place(key: Uint8Array, list: Uint8Array[]): number {
    const table = this.#table;
    // The low half of the group, and the minute.
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
