/**
 * The decoder's key table maps the bytes of short map keys to strings: a key that recurs costs a hash and a
 * comparison instead of a new string.
 *
 * All keys are in one array of words. With an object and an array per key, a mix of messages with thousands of keys takes 1.2
 * times the time: each key costs three cache misses instead of one (docs/performance-notes.md). The table is two-way
 * associative. On servers it grows up to a fixed size, so hostile keys cannot make it grow further; in pages it does not grow.
 */

const FIRST_BITS = 9;
/** 8,192 sets of two keys: 16,384 keys, 0.75 MB with the references to their texts. */
const LAST_BITS = 13;
/**
 * Words of a key: its first and its last four bytes, the fixstr header included, then the bytes between, and the hash of all.
 * The last two words of the bytes overlap. A key of one or two bytes is one word, stored twice.
 */
const STRIDE = 9;
const HASH = 8;
/** Code units of a long key that are hashed, at its start and at its end. */
const MAX_HASHED = 24;

/** The keys of one reader. Fields used for each key are not private names, which are slower while code is cold. */
export class KeyTable {
  /** 32 less the bits of a set number. */
  shift = 32 - FIRST_BITS;
  /** Set i: the latest key is entry 2 i, the previous one 2 i + 1. A header is never 0, so an empty entry matches no key. */
  words = new Int32Array(STRIDE << (FIRST_BITS + 1));
  texts: string[] = new Array<string>(2 << FIRST_BITS).fill("");
  /** Keys that have been entered. */
  size = 0;
  /**
   * Hash of the last miss in each set. A key enters a full set at its second miss, so keys that never recur do not evict
   * recurring keys.
   */
  missed = new Int32Array(1 << FIRST_BITS);
  /** On servers: the hash, over all characters, of the last key that `find` or `learn` returned. */
  hash = 0;
  /** The place, the first word and the last word of the key that `find` missed. */
  #place = 0;
  #first = 0;
  #last = 0;
  hits = 0;
  misses = 0;

  /**
   * Returns the key whose header is at `pos`, or null if it is not in the table. `size`: its bytes with the header, 2 to 32; the
   * caller has checked that they are present.
   */
  find(src: Uint8Array, view: DataView, pos: number, size: number): string | null {
    let first: number;
    let last: number;
    if (size >= 4) {
      first = view.getInt32(pos, true);
      last = view.getInt32(pos + size - 4, true);
    } else first = last = src[pos]! | (src[pos + 1]! << 8) | (size === 3 ? src[pos + 2]! << 16 : 0);
    const words = this.words;
    const place = placeOf(first, last);
    const entry = (place >>> this.shift) << 1;
    for (let i = entry; i < entry + 2; i++) {
      const at = i * STRIDE;
      if (words[at] !== first || words[at + 1] !== last) continue;
      let middle = 4;
      for (let word = at + 2; middle < size - 4; middle += 4, word++) {
        if (view.getInt32(pos + middle, true) !== words[word]) break;
      }
      if (middle < size - 4) continue;
      this.hits++;
      this.hash = words[at + HASH]!;
      return this.texts[i]!;
    }
    this.misses++;
    this.#place = place;
    this.#first = first;
    this.#last = last;
    return null;
  }

  /**
   * Enters the text of the key that `find` has just missed, and returns it. The caller has looked it up as a property, so the
   * engine has internalised it: stores with this key skip a table lookup.
   */
  learn(view: DataView, pos: number, size: number, text: string): string {
    const entry = (this.#place >>> this.shift) << 1;
    // In pages `hash` is 0.
    const missed = this.#place ^ this.hash;
    if (this.words[entry * STRIDE + STRIDE] !== 0 && this.missed[entry >> 1] !== missed) {
      this.missed[entry >> 1] = missed;
      return text;
    }
    this.size++;
    const words = this.words;
    const at = entry * STRIDE;
    if (words[at] !== 0) this.makeOlder(entry);
    words[at] = this.#first;
    words[at + 1] = this.#last;
    for (let i = 4, word = at + 2; i < size - 4; i += 4, word++) words[word] = view.getInt32(pos + i, true);
    words[at + HASH] = this.hash;
    this.texts[entry] = text;
    return text;
  }

  /** Moves the latest key of a set, `entry`, to the place of the previous key, which is evicted. */
  makeOlder(entry: number): void {
    const at = entry * STRIDE;
    this.words.copyWithin(at + STRIDE, at, at + STRIDE);
    this.texts[entry + 1] = this.texts[entry]!;
  }
}

/** The table of servers, which grows to hold the keys of many kinds of messages. */
export class GrowingKeyTable extends KeyTable {
  override learn(view: DataView, pos: number, size: number, text: string): string {
    this.hash = hashOfKey(text);
    if (this.size >> FIRST_BITS > 0 && this.shift > 32 - LAST_BITS) this.#grow();
    return super.learn(view, pos, size, text);
  }

  /**
   * Grows the table to its full size at once, when half of the entries are used. In steps, its keys would be moved several times
   * while the process is cold (1 to 3 ms each).
   */
  #grow(): void {
    const { words, texts } = this;
    const larger = new Int32Array(STRIDE << (LAST_BITS + 1));
    this.shift = 32 - LAST_BITS;
    this.words = larger;
    this.texts = new Array<string>(2 << LAST_BITS).fill("");
    this.missed = new Int32Array(1 << LAST_BITS);
    // Each old entry now maps to its own sets. The older key of a set is inserted first, so that the newer key is found first.
    for (let i = texts.length - 1; i >= 0; i--) {
      const at = i * STRIDE;
      if (words[at] === 0) continue;
      const entry = (placeOf(words[at]!, words[at + 1]!) >>> this.shift) << 1;
      if (larger[entry * STRIDE] !== 0) this.makeOlder(entry);
      for (let j = 0; j < STRIDE; j++) larger[entry * STRIDE + j] = words[at + j]!;
      this.texts[entry] = texts[i]!;
    }
  }
}

/** The place of a key, computed from its first and last word. */
function placeOf(first: number, last: number): number {
  return Math.imul(first ^ Math.imul(last, 0x85ebca6b), 0x9e3779b1);
}

/** The hash of a key. For a long key, it covers only the start and the end. */
export function hashOfKey(key: string): number {
  const { length } = key;
  let hash = length;
  for (let i = 0; i < length; i++) {
    if (i === MAX_HASHED && length > 2 * MAX_HASHED) i = length - MAX_HASHED;
    hash = mix(hash, key.charCodeAt(i));
  }
  return hash;
}

/** Extends the hash of a list of keys by one key; `fill` has it inline. Without the multiplication, permutations would collide. */
export function hashOfList(hash: number, key: number): number {
  return mix(hash, key);
}

/** A hash of a key's first and last word, if the bytes before `end` have them. At least four bytes are present at `pos`. */
export function hashOfEnds(view: DataView, pos: number, end: number): number {
  const first = view.getInt32(pos, true);
  const n = first & 0x1f;
  // Without the value's bytes, if the key is shorter than a word.
  if (n < 3) return first & (0xffffff >>> (8 * (2 - n)));
  return pos + n < end ? placeOf(first, view.getInt32(pos + n - 3, true)) : first;
}

/** Multiplies by 2^32 divided by the golden ratio; the shift moves the high bits down, which otherwise have little effect. */
function mix(hash: number, word: number): number {
  const product = Math.imul(hash ^ word, 0x9e3779b1);
  return product ^ (product >>> 15);
}
