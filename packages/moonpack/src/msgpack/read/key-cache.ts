/**
 * The decoder's key cache maps the bytes of short map keys to internalised strings: a key that recurs costs a hash and a
 * comparison instead of a new string. It is two-way associative (one way costs 25 % of the speed with 600 keys, some of which
 * collide) and of fixed size, so hostile keys cannot make it grow.
 */

const SLOTS = 2048;

/** A key of 1 to 31 bytes with its fixstr header; compared as little-endian words, the last two overlapping. */
class CachedKey {
  readonly size: number;
  readonly first: number;
  readonly last: number;
  /** The words between the first and the last one. */
  readonly middle: Int32Array;
  readonly text: string;

  constructor(view: DataView, pos: number, size: number, first: number, last: number, text: string) {
    this.size = size;
    this.first = first;
    this.last = last;
    this.middle = new Int32Array(Math.max(0, (size - 5) >> 2));
    for (let i = 0; i < this.middle.length; i++) this.middle[i] = view.getInt32(pos + 4 + 4 * i, true);
    this.text = text;
  }

  hasMiddle(view: DataView, pos: number): boolean {
    const { middle } = this;
    for (let i = 0; i < middle.length; i++) if (view.getInt32(pos + 4 + 4 * i, true) !== middle[i]) return false;
    return true;
  }
}

/** The keys of one reader. */
export class KeyCache {
  /** Slot i holds its latest key at i, the one before at i + SLOTS. */
  readonly #keys: (CachedKey | null)[] = new Array<CachedKey | null>(2 * SLOTS).fill(null);
  /** Hash of the last miss in each slot. A key enters at its second miss, so keys that never recur allocate nothing. */
  readonly #missed = new Int32Array(SLOTS);
  /** Set by a miss: the slot in which {@link KeyCache.learn} stores the key, or -1 for none, and the key's words. */
  #candidate = -1;
  #first = 0;
  #last = 0;
  hits = 0;
  misses = 0;

  /**
   * Returns the key whose header is at `pos`, or null if it is not in the cache. `size`: its bytes with the header, 2 to 32; the
   * caller has checked that they are present.
   */
  find(src: Uint8Array, view: DataView, pos: number, size: number): string | null {
    let first: number;
    let last: number;
    if (size >= 4) {
      first = view.getInt32(pos, true);
      last = view.getInt32(pos + size - 4, true);
    } else first = last = src[pos]! | (src[pos + 1]! << 8) | (size === 3 ? src[pos + 2]! << 16 : 0);
    const hash = Math.imul(first ^ Math.imul(last, 0x85ebca6b), 0x9e3779b1);
    const slot = hash >>> 21;
    for (let way = slot; way < 2 * SLOTS; way += SLOTS) {
      const key = this.#keys[way]!;
      if (
        key !== null &&
        key.first === first &&
        key.last === last &&
        key.size === size &&
        (size < 9 || key.hasMiddle(view, pos))
      ) {
        this.hits++;
        return key.text;
      }
    }
    this.misses++;
    this.#candidate = this.#missed[slot] === hash ? slot : -1;
    this.#missed[slot] = hash;
    this.#first = first;
    this.#last = last;
    return null;
  }

  /** Takes the text of the key that `find` has just missed. Returns it, internalised if it enters the cache. */
  learn(view: DataView, pos: number, size: number, text: string): string {
    const slot = this.#candidate;
    if (slot < 0) return text;
    const key = new CachedKey(view, pos, size, this.#first, this.#last, internalise(text));
    this.#keys[slot + SLOTS] = this.#keys[slot]!;
    this.#keys[slot] = key;
    return key.text;
  }
}

/** The string in the form of V8's property names: flat, unique and hashed, so that stores by it skip a table lookup. */
function internalise(text: string): string {
  return Object.keys({ [text]: 0 })[0]!;
}
