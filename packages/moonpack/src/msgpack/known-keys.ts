/**
 * The encoder's key table: property names with their bytes ready, header included, as little-endian words. Keys follow
 * one another in the same order in object after object, so each remembers which came next: the usual key costs one
 * comparison and up to four word stores.
 */
import { writeUtf8 } from "#utf8";

/** Longest key, in UTF-16 units, that is kept: with 3 bytes a unit and its header it stays below 64 bytes. */
const MAX_UNITS = 20;
/** Keys kept at once; then the table starts anew. About 150 bytes each. */
const MAX_KEYS = 4096;
/** New keys that may be taken in before known ones have been met again: keys that never recur stop being kept. */
const MAX_CREDIT = 2048;
/** Known keys met by look-up that earn the credit for one new key. */
const EARNED_BY = 16;

/** How many keys an object had that began with this one: not known yet. */
export const UNCOUNTED = -1;
/** The same: it varies over the border of a header's size, so such objects are counted before they are written. */
export const UNSTABLE = -2;

/** One property name. */
export class KnownKey {
  readonly text: string;
  /** Bytes with the header. */
  readonly size: number;
  readonly word0: number;
  readonly word1: number;
  readonly word2: number;
  readonly word3: number;
  readonly bytes: Uint8Array;
  /** The key that followed last, and the one before that: `id` goes on differently in an order and in its customer. */
  next: KnownKey | null = null;
  other: KnownKey | null = null;
  /** The first key of the last object that was this key's value, or an element of it. */
  inner: KnownKey | null = null;
  /** Keys of the last object that began with this one, UNCOUNTED or UNSTABLE. */
  counts = UNCOUNTED;

  constructor(text: string, bytes: Uint8Array<ArrayBuffer>, size: number) {
    const view = new DataView(bytes.buffer);
    this.text = text;
    this.size = size;
    this.word0 = view.getInt32(0, true);
    this.word1 = view.getInt32(4, true);
    this.word2 = view.getInt32(8, true);
    this.word3 = view.getInt32(12, true);
    this.bytes = bytes;
  }
}

/** The keys of one encoder. */
export class KeyTable {
  /** Stands for the message itself, as the key of its root. */
  readonly root = new KnownKey("", new Uint8Array(64), 0);
  readonly #keys = new Map<string, KnownKey>();
  #credit = MAX_CREDIT;
  #earned = 0;
  /** Keys that were not where they were expected, but known. */
  found = 0;
  /** Keys met for the first time, or again after they were dropped. */
  missed = 0;

  /** The key of this text, which is not what followed `previous` last; null when it is not kept. */
  after(previous: KnownKey, text: string): KnownKey | null {
    const other = previous.other;
    if (other !== null && other.text === text) {
      previous.other = previous.next;
      return (previous.next = other);
    }
    const key = this.find(text);
    if (key !== null) {
      previous.other = previous.next;
      previous.next = key;
    }
    return key;
  }

  /** The key of this text; null when it is not kept. */
  find(text: string): KnownKey | null {
    const key = this.#keys.get(text);
    if (key === undefined) return this.#add(text);
    this.found++;
    if (++this.#earned === EARNED_BY) {
      this.#earned = 0;
      if (this.#credit < MAX_CREDIT) this.#credit++;
    }
    return key;
  }

  #add(text: string): KnownKey | null {
    this.missed++;
    if (text.length > MAX_UNITS || this.#credit === 0) return null;
    this.#credit--;
    const key = makeKey(text);
    if (key === null) return null;
    if (this.#keys.size === MAX_KEYS) this.#keys.clear();
    this.#keys.set(text, key);
    return key;
  }
}

function makeKey(text: string): KnownKey | null {
  const bytes = new Uint8Array(64);
  let end = writeUtf8(bytes, 1, text);
  if (end < 0) return null; // a lone surrogate: the slow way raises the error
  if (end - 1 < 32) bytes[0] = 0xa0 | (end - 1);
  else {
    bytes.copyWithin(2, 1, end);
    bytes[0] = 0xd9;
    bytes[1] = end - 1;
    end++;
  }
  return new KnownKey(text, bytes, end);
}
