/**
 * The keys of a range, in order. Members return all keys of a query together and unsorted. So the first keys are read as a short, sorted
 * list, which makes reading the first key of a large range cheap. This works in ascending order only: paging of members sorts upwards.
 */
import { Predicates } from "hazelcast-client";
import type { ColumnMap } from "./columns.js";

/** Keys of a short list. */
const SHORT = 256;
/** Digits of a key's first two bytes. In keys of pages they are the week. */
const WEEK_DIGITS = 4;

/** Reads the keys from `from` up to `to`, without `to`, in at most three lists. */
export class KeyRange {
  readonly #map: ColumnMap;
  readonly #to: string;
  readonly #reverse: boolean;
  /** Start of the next list; undefined after the last. */
  #from: string | undefined;
  /** End of the next short list; undefined when the next list has all remaining keys. */
  #shortTo: string | undefined;

  constructor(map: ColumnMap, from: string, to: string, reverse: boolean) {
    this.#map = map;
    this.#to = to;
    this.#reverse = reverse;
    this.#from = from < to ? from : undefined;
    // Members sort all keys in the range of a short list, so the first short list covers one week only.
    if (!reverse) this.#shortTo = least(afterWeek(from), to);
  }

  /** True after the last list. */
  get isOver(): boolean {
    return this.#from === undefined;
  }

  /** Returns the next list, which may be empty. */
  async next(): Promise<string[]> {
    const from = this.#from;
    if (from === undefined) return [];
    return this.#shortTo === undefined ? this.#all(from) : this.#short(from, this.#shortTo);
  }

  async #short(from: string, to: string): Promise<string[]> {
    const keys = await this.#map.keySetWithPredicate(Predicates.paging(Predicates.between("__key", from, to), SHORT));
    const inside = before(to, keys);
    const isFull = inside.length === SHORT;
    // No key sorts between a key and the same text with a zero appended.
    if (isFull) this.#from = `${inside.at(-1)}0`;
    else this.#from = to < this.#to ? to : undefined;
    this.#shortTo = isFull ? undefined : this.#to;
    return inside;
  }

  async #all(from: string): Promise<string[]> {
    const keys = await this.#map.keySetWithPredicate(Predicates.between("__key", from, this.#to));
    this.#from = undefined;
    const sorted = before(this.#to, keys).sort();
    return this.#reverse ? sorted.reverse() : sorted;
  }
}

/** Removes keys from `to` on: `between` includes its end, ranges do not. */
function before(to: string, keys: readonly string[]): string[] {
  return keys.filter((key) => key < to);
}

/** Returns the smallest text after all keys of the week of `from`; undefined if `from` is too short, or in the last week. */
function afterWeek(from: string): string | undefined {
  const next = Number.parseInt(from.slice(0, WEEK_DIGITS), 16) + 1;
  if (from.length < WEEK_DIGITS || next === 16 ** WEEK_DIGITS) return undefined;
  return next.toString(16).padStart(WEEK_DIGITS, "0");
}

function least(a: string | undefined, b: string): string {
  return a !== undefined && a < b ? a : b;
}
