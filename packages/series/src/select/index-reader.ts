/** Reads the ids of tags from the index: of few values by their keys, of many values by a range over the tag. */
import type { Entry } from "../drivers/driver.js";
import { CHUNK, type ChunkIds, chunkOf } from "../metric/tag-index.js";
import { addEntry, type IdSet } from "./id-set.js";
import { chunkOfKey, haveSameValue, IndexKeys, type KeyRange, valueOfKey } from "./index-keys.js";
import type { TagIndex } from "./name-source.js";
import { type ValueSet, type WithPrefix, withPrefix } from "./text-matcher.js";

/** The costs of reading an entry by its key, and of opening a range. The unit is an entry of an open range. */
const GET_COST = 3;
const RANGE_COST = 64;
/** Maximum number of open ranges. */
const MAX_PARALLEL_RANGES = 16;
/** After this number of unwanted entries in a row, the rest of their value is skipped by opening another range. */
const SKIPPED_FROM = 128;

/** Called with the values of a tag, in byte order. */
export interface Visitor {
  /** Called for each value. Returns true if its entries are needed. */
  begin(value: string): boolean;
  /** Called for each needed entry. Returns true if more entries of the value are needed. */
  take(key: Uint8Array, value: Uint8Array): boolean;
}

/** Reads the index of one store. */
export class IndexReader {
  readonly keys = new IndexKeys();
  /** The last chunk that is read. */
  readonly lastChunk: number;
  readonly #index: TagIndex;

  constructor(index: TagIndex, maxId: number) {
    this.#index = index;
    this.lastChunk = chunkOf(maxId);
  }

  /** Returns the ids of all metrics whose tag has one of the values. With `only`, ids of other chunks may be omitted. */
  async ids(tag: string, values: ValueSet, only?: ReadonlyMap<number, ChunkIds>): Promise<IdSet> {
    if (values.list === undefined) return await this.#walkedIds(tag, values, only);
    const { list } = values;
    const gets = list.length * (only?.size ?? this.lastChunk + 1) * GET_COST;
    const ranges = list.length * RANGE_COST;
    // There are at most as many entries as ids.
    const walk = RANGE_COST + (this.lastChunk + 1) * CHUNK;
    if (gets <= Math.min(ranges, walk)) return await this.#gotIds(tag, list, only?.keys() ?? this.#chunks());
    if (ranges <= walk) return await this.#rangedIds(tag, list);
    const wanted = new Set(list);
    return await this.#walkedIds(
      tag,
      withPrefix("", (value) => wanted.has(value)),
      only,
    );
  }

  /** Returns the ids of a value in a few chunks, read by keys; undefined if the chunks are too many. */
  async idsOfFew(tag: string, value: string, chunks: readonly number[]): Promise<IdSet | undefined> {
    return chunks.length * GET_COST <= RANGE_COST ? await this.#gotIds(tag, [value], chunks) : undefined;
  }

  /** Returns the entries of a value, in lists by ascending chunk. */
  piecesOf(tag: string, value: string): AsyncIterable<readonly Entry[]> {
    return this.#range(this.keys.ofValue(tag, value, this.lastChunk), false);
  }

  /** Calls a visitor for the values of a tag with a prefix. Without ids, entries have an empty value. */
  async walk(tag: string, prefix: string, visitor: Visitor, keysOnly: boolean): Promise<void> {
    const tagBytes = Buffer.byteLength(tag);
    let [from, to]: KeyRange = this.keys.ofPrefix(tag, prefix);
    for (;;) {
      const last = await this.#walkUntilSkip([from, to], tagBytes, visitor, keysOnly);
      if (last === undefined) return;
      from = this.keys.afterValue(tag, valueOfKey(last, tagBytes));
    }
  }

  /** Returns a key of a value whose remaining entries should be skipped; undefined at the end of the range. */
  async #walkUntilSkip(
    range: KeyRange,
    tagBytes: number,
    visitor: Visitor,
    keysOnly: boolean,
  ): Promise<Uint8Array | undefined> {
    let last: Uint8Array | undefined;
    let isWanted = false;
    let skipped = 0;
    for await (const piece of this.#range(range, keysOnly)) {
      for (const [key, value] of piece) {
        if (last === undefined || !haveSameValue(last, key)) {
          isWanted = visitor.begin(valueOfKey(key, tagBytes));
          const pause = this.#index.pause?.();
          if (pause !== undefined) await pause;
          skipped = 0;
        }
        last = key;
        if (isWanted && chunkOfKey(key) <= this.lastChunk) isWanted = visitor.take(key, value);
        else skipped++;
      }
      if (!isWanted && skipped >= SKIPPED_FROM) return last;
    }
    return undefined;
  }

  async #walkedIds(
    tag: string,
    { prefix, test }: WithPrefix,
    only: ReadonlyMap<number, ChunkIds> | undefined,
  ): Promise<IdSet> {
    const set: IdSet = new Map();
    const take = (key: Uint8Array, value: Uint8Array) => {
      if (only === undefined || only.has(chunkOfKey(key))) addEntry(set, key, value);
      return true;
    };
    if (test !== undefined) await this.walk(tag, prefix, { begin: test, take }, false);
    else {
      for await (const piece of this.#range(this.keys.ofPrefix(tag, prefix), false))
        for (const [key, value] of piece) if (chunkOfKey(key) <= this.lastChunk) take(key, value);
    }
    return set;
  }

  /** Reads entries by their keys. */
  async #gotIds(tag: string, list: readonly string[], chunks: Iterable<number>): Promise<IdSet> {
    const numbers = [...chunks];
    const keys = list.flatMap((value) => numbers.map((chunk) => this.keys.entry(tag, value, chunk)));
    const set: IdSet = new Map();
    if (keys.length === 0) return set;
    const values = await this.#index.get(keys);
    values.forEach((value, i) => {
      if (value !== undefined) addEntry(set, keys[i]!, value);
    });
    return set;
  }

  /** Reads the entries of each value as a range. */
  async #rangedIds(tag: string, list: readonly string[]): Promise<IdSet> {
    const set: IdSet = new Map();
    const rest = list.values();
    const worker = async () => {
      for (const value of rest)
        for await (const piece of this.piecesOf(tag, value)) for (const [key, ids] of piece) addEntry(set, key, ids);
    };
    await Promise.all(Array.from({ length: Math.min(MAX_PARALLEL_RANGES, list.length) }, worker));
    return set;
  }

  #range([from, to]: KeyRange, keysOnly: boolean): AsyncIterable<readonly Entry[]> {
    return this.#index.range(from, to, keysOnly);
  }

  *#chunks(): Generator<number> {
    for (let chunk = 0; chunk <= this.lastChunk; chunk++) yield chunk;
  }
}
