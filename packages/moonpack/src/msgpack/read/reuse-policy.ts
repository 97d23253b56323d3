/**
 * Predicts whether the keys of an object will recur, for objects of 17 to 507 keys. If not, the object becomes a dictionary.
 *
 * Measured from 24 to 505 keys. Recurring keys: a fast object takes 8 bytes a key, a dictionary 49 to 71. New keys: each key of a
 * fast object adds a transition and a hidden class, which takes 4 to 10 us and up to 140 bytes; a dictionary takes 1.2 to 1.6 us
 * and 40 to 100 bytes a key.
 *
 * Every object is fast at first. Objects with new keys spend a credit; once it is used up, they become dictionaries.
 *
 * The policy needs all keys to decide whether they recur. While there is credit, an object is filled while it is read, and its
 * keys are looked up afterwards. Otherwise it is read onto stacks first.
 */
import { hashOfKey, hashOfList } from "./key-table.js";

/** Slots for hashes of lists of keys. Each slot holds two hashes, so that two alternating lists are both known. */
const SLOTS = 4096;
/** The credit, in new keys. Each new key may add a hidden class: a quarter of a second in total, at worst. */
const MAX_CREDIT = 32_768;
/** Minimum credit that one object costs: V8 remembers at most 1,536 transitions from one hidden class. */
const MIN_COST = 32;
/** The share of its cost that a recurring object refunds. It is small: a few recurring records must not pay for many new shapes. */
const REFUND = 1 / 8;

/** One per reader. */
export class ReusePolicy {
  /** Hashes of lists of keys, allocated on demand. A forgotten list, or a hash collision, only costs time. */
  #seen: Int32Array | null = null;
  #credit = MAX_CREDIT;

  /** True if the `n` keys from `keys[first]` on are expected to recur: their object should be fast. */
  expects(keys: readonly unknown[], first: number, n: number): boolean {
    const cost = Math.max(n, MIN_COST);
    if (this.#recurs(hashOf(keys, first, n))) this.#credit = Math.min(this.#credit + cost * REFUND, MAX_CREDIT);
    else if (this.#credit >= cost) this.#credit -= cost;
    else return false;
    return true;
  }

  /** True if an object may be filled while it is read. The caller must then call `settle`. */
  get fills(): boolean {
    return this.#credit >= MAX_CREDIT / 2;
  }

  /** Accounts for an object of `n` keys with the hash `hash` that was filled while it was read. */
  settle(n: number, hash: number): void {
    const cost = Math.max(n, MIN_COST);
    this.#credit = this.#recurs(hash)
      ? Math.min(this.#credit + cost * REFUND, MAX_CREDIT)
      : Math.max(this.#credit - cost, 0);
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

/** The hash of a list of keys, as `MessageReader.fill` computes it. */
function hashOf(keys: readonly unknown[], first: number, n: number): number {
  let hash = n;
  for (let i = first; i < first + n; i++) hash = hashOfList(hash, hashOfKey(keys[i] as string));
  return hash;
}
