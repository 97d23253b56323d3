/**
 * Telling records, whose keys come again, from dictionaries, whose keys do not. (Measured from 24 to 505 keys.) Where they
 * recur, a fast object takes 8 bytes a key and a dictionary 49 to 71. Where they do not, each key of a fast object is a
 * transition and a hidden class of its own: 4 to 10 us and up to 140 bytes a key; a dictionary takes 1.2 to 1.6 us and 40 to
 * 100 bytes.
 *
 * So every object is a record until many have been met whose keys never came again; from then on those with new keys are
 * dictionaries.
 */

/** Lists of keys are remembered by their hash, two for each of so many slots: those of a pair that takes turns are both known. */
const SLOTS = 4096;
/** Keys that may be given a hidden class each without having recurred: at worst a quarter of a second, once. */
const MAX_CREDIT = 32_768;
/** What an object takes of them at least: V8 remembers no more than 1,536 ways in which objects of a class went on. */
const MIN_COST = 32;
/** An object that recurs gives back this part of what a new one takes: a few records must not pay for as many dictionaries. */
const REFUND = 1 / 8;
/** Units of a key that are hashed, from its beginning and from its end. */
const MAX_HASHED = 24;
/** The prime of FNV-1a for 32 bits (draft-eastlake-fnv). */
const FNV = 0x01000193;

/** One per reader. */
export class Records {
  /** Made when first wanted. A list that is forgotten, or taken for another, costs time, no more. */
  #seen: Int32Array | null = null;
  #credit = MAX_CREDIT;

  /** Shall the object of `n` keys from `keys[first]` on be a fast one? */
  takes(keys: readonly unknown[], first: number, n: number): boolean {
    const cost = Math.max(n, MIN_COST);
    if (this.#recurs(hashOf(keys, first, n))) this.#credit = Math.min(this.#credit + cost * REFUND, MAX_CREDIT);
    else if (this.#credit >= cost) this.#credit -= cost;
    else return false;
    return true;
  }

  #recurs(hash: number): boolean {
    const seen = (this.#seen ??= new Int32Array(2 * SLOTS));
    const slot = (hash >>> 20) * 2;
    if (seen[slot] === hash) return true;
    const recurs = seen[slot + 1] === hash;
    seen[slot + 1] = seen[slot]!;
    seen[slot] = hash;
    return recurs;
  }
}

function hashOf(keys: readonly unknown[], first: number, n: number): number {
  let hash = n;
  for (let i = first; i < first + n; i++) {
    const key = keys[i] as string;
    const { length } = key;
    hash = Math.imul(hash ^ length, FNV);
    const middle = Math.min(length, MAX_HASHED);
    for (let j = 0; j < middle; j++) hash = Math.imul(hash ^ key.charCodeAt(j), FNV);
    for (let j = Math.max(middle, length - MAX_HASHED); j < length; j++)
      hash = Math.imul(hash ^ key.charCodeAt(j), FNV);
  }
  return Math.imul(hash, 0x9e3779b1);
}
