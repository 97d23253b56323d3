/**
 * The keys of a range, in their order. Members answer a query all at once and unsorted, so short first lists are asked for alone: who
 * looks for the first key of many costs little. Descending order is beyond the paging of members, which sort upwards.
 */
import { Predicates } from "hazelcast-client";
import type { ColumnMap } from "./columns.js";

/** Keys of a short list. */
const SHORT = 256;
/** Digits of a key's first two bytes: the week, in keys of pages. */
const WEEK_DIGITS = 4;

/** The keys from one up to, and without, another one, in three lists at most. */
export class KeyRange {
  readonly #map: ColumnMap;
  readonly #to: string;
  readonly #reverse: boolean;
  /** Where the next list begins; undefined after the last. */
  #from: string | undefined;
  /** Where a short list ends; undefined when all keys that are left are asked for. */
  #shortTo: string | undefined;

  constructor(map: ColumnMap, from: string, to: string, reverse: boolean) {
    this.#map = map;
    this.#to = to;
    this.#reverse = reverse;
    this.#from = from < to ? from : undefined;
    // Members sort all that is in the range of a short list: first they look at one week.
    if (!reverse) this.#shortTo = least(afterWeek(from), to);
  }

  /** True after the last list. */
  get isOver(): boolean {
    return this.#from === undefined;
  }

  /** The next list, which may be empty. */
  async next(): Promise<string[]> {
    const from = this.#from;
    if (from === undefined) return [];
    return this.#shortTo === undefined ? this.#all(from) : this.#short(from, this.#shortTo);
  }

  async #short(from: string, to: string): Promise<string[]> {
    const keys = await this.#map.keySetWithPredicate(Predicates.paging(Predicates.between("__key", from, to), SHORT));
    const inside = before(to, keys);
    const isFull = inside.length === SHORT;
    // No other key lies between one and its text with a zero behind it.
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

/** `between` includes its end, ranges do not. */
function before(to: string, keys: readonly string[]): string[] {
  return keys.filter((key) => key < to);
}

/** The least text after all keys of the week of `from`; undefined if `from` is shorter, or of the last week. */
function afterWeek(from: string): string | undefined {
  const next = Number.parseInt(from.slice(0, WEEK_DIGITS), 16) + 1;
  if (from.length < WEEK_DIGITS || next === 16 ** WEEK_DIGITS) return undefined;
  return next.toString(16).padStart(WEEK_DIGITS, "0");
}

function least(a: string | undefined, b: string): string {
  return a !== undefined && a < b ? a : b;
}
