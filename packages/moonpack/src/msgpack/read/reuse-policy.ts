/**
 * Predicts whether the keys of an object will recur. This is asked for objects of 17 to 507 keys. If the keys are not expected to
 * recur, the object becomes a dictionary.
 *
 * Measured from 24 to 505 keys. Recurring keys: a fast object takes 8 bytes a key, a dictionary 49 to 71. New keys: each key of a
 * fast object adds a transition and a hidden class, which takes 4 to 10 us and up to 140 bytes; a dictionary takes 1.2 to 1.6 us
 * and 40 to 100 bytes a key.
 *
 * Every object is fast at first. Objects with new keys spend a credit; once it is used up, they become dictionaries.
 *
 * Whether the keys recur is only known when all have been read. While there is credit, or if an object with the same start has
 * recurred, an object is filled while it is read, and its keys are looked up afterwards. Otherwise it is read onto stacks first.
 */
import { hashOfEnds, hashOfList, hashOfText } from "./key-table.js";

/** Slots for hashes of lists of keys. Each slot has two, so that two lists that alternate in a slot are both known. */
const SLOTS = 4096;
/** The credit, in new keys. Each of them may add a hidden class: a quarter of a second in all, at worst. */
const MAX_CREDIT = 32_768;
/** Minimum credit that one object costs: V8 remembers at most 1,536 transitions from one hidden class. */
const MIN_COST = 32;
/** The share of its cost that a recurring object gives back. It is small: few records must not pay for as many dictionaries. */
const REFUND = 1 / 8;
/** Slots for starts of objects. */
const STARTS = 512;

/** One per reader. */
export class ReusePolicy {
  /** Hashes of lists of keys, allocated on demand. A list that is forgotten, or mistaken for another, only costs time. */
  #seen: Int32Array | null = null;
  /** For each slot the start of an object that recurred when it was read onto stacks. */
  #starts: Int32Array | null = null;
  #credit = MAX_CREDIT;
  /** The last object that `expects` was asked for has recurred. */
  #recurred = false;

  /** True if the `n` keys from `keys[first]` on are expected to recur: their object should be fast. */
  expects(keys: readonly unknown[], first: number, n: number): boolean {
    const cost = Math.max(n, MIN_COST);
    this.#recurred = this.#recurs(hashOf(keys, first, n));
    if (this.#recurred) this.#credit = Math.min(this.#credit + cost * REFUND, MAX_CREDIT);
    else if (this.#credit >= cost) this.#credit -= cost;
    else return false;
    return true;
  }

  /**
   * True if the object of `n` keys whose first key is at `pos` need not wait on stacks. Then `settle` must follow, or else
   * `learnStart`.
   */
  fills(view: DataView, pos: number, end: number, n: number): boolean {
    if (this.#credit >= MAX_CREDIT / 2) return true;
    const start = startOf(view, pos, end, n);
    return this.#starts !== null && this.#starts[start & (STARTS - 1)] === start;
  }

  /** The object of `n` keys whose first key was at `pos` has just been read onto stacks. */
  learnStart(view: DataView, pos: number, end: number, n: number): void {
    if (!this.#recurred) return;
    this.#recurred = false;
    const start = startOf(view, pos, end, n);
    this.#starts ??= new Int32Array(STARTS);
    this.#starts[start & (STARTS - 1)] = start;
  }

  /** An object of `n` keys, `hash` in all, was filled while it was read. Its first key was at `pos`. */
  settle(view: DataView, pos: number, end: number, n: number, hash: number): void {
    const cost = Math.max(n, MIN_COST);
    if (this.#recurs(hash)) this.#credit = Math.min(this.#credit + cost * REFUND, MAX_CREDIT);
    else {
      this.#credit = Math.max(this.#credit - cost, 0);
      if (this.#starts !== null) this.#starts[startOf(view, pos, end, n) & (STARTS - 1)] = 0;
    }
  }

  #recurs(hash: number): boolean {
    const seen = (this.#seen ??= new Int32Array(2 * SLOTS));
    const slot = (Math.imul(hash, 0x9e3779b1) >>> 20) * 2;
    if (seen[slot] === hash) return true;
    const recurs = seen[slot + 1] === hash;
    seen[slot + 1] = seen[slot]!;
    seen[slot] = hash;
    return recurs;
  }
}

/** A hash of the first key, which is at `pos`, and the number of keys. */
function startOf(view: DataView, pos: number, end: number, n: number): number {
  return hashOfList(n, hashOfEnds(view, pos, end)) >> 8;
}

/** The hash of a list of keys; for ASCII the one that `MessageReader.fill` computes. */
function hashOf(keys: readonly unknown[], first: number, n: number): number {
  let hash = n;
  for (let i = first; i < first + n; i++) hash = hashOfList(hash, hashOfText(keys[i] as string));
  return hash;
}
