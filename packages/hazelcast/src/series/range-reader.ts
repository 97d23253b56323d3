/** Reads the entries of a range in chunks of about 64 KB: the keys by a query, the values by `getAll`. */
import type { Entry } from "@moonpack/series-kv";
import type { Column } from "./columns.js";
import type { KeyRange } from "./key-range.js";
import { keyOf } from "./keys.js";
import { valuesOf } from "./values.js";

const PIECE_BYTES = 65_536;
/** Number of entries in the first chunk, and the maximum. */
const FIRST_LENGTH = 16;
const MAX_LENGTH = 4096;

const NO_BYTES = /* @__PURE__ */ new Uint8Array(0);

/** Reads one range. */
export class RangeReader {
  readonly #column: Column;
  readonly #range: KeyRange;
  readonly #keysOnly: boolean;
  /** Found keys. Their values have been read up to `#at`. */
  #keys: readonly string[] = [];
  #at = 0;
  #length: number;

  constructor(column: Column, range: KeyRange, keysOnly: boolean) {
    this.#column = column;
    this.#range = range;
    this.#keysOnly = keysOnly;
    this.#length = keysOnly ? MAX_LENGTH : FIRST_LENGTH;
  }

  /** True when all entries have been read. */
  get isOver(): boolean {
    return this.#at === this.#keys.length && this.#range.isOver;
  }

  /** Returns the next chunk. It is empty if its entries have been deleted since their keys were found. */
  async next(): Promise<Entry[]> {
    while (this.#at === this.#keys.length && !this.#range.isOver) {
      this.#keys = await this.#range.next();
      this.#at = 0;
    }
    const keys = this.#keys.slice(this.#at, this.#at + this.#length);
    if (this.#keysOnly) {
      this.#at += keys.length;
      return keys.map((key): Entry => [keyOf(key), NO_BYTES]);
    }
    const values = await valuesOf(this.#column, keys);
    this.#at += keys.length;
    const entries = keys.flatMap((key, i): Entry[] => (values[i] === undefined ? [] : [[keyOf(key), values[i]]]));
    this.#adjustLength(entries);
    return entries;
  }

  /** Estimates the number of entries in 64 KB from this chunk, at most four times the last number. */
  #adjustLength(entries: readonly Entry[]): void {
    if (entries.length === 0) return;
    const bytes = entries.reduce((sum, [key, value]) => sum + key.length + value.length, 0);
    this.#length = Math.min(Math.ceil((PIECE_BYTES * entries.length) / bytes), 4 * this.#length, MAX_LENGTH);
  }
}
