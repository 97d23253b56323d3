/**
 * The encoder's key table: property names with their encoded bytes, header included, as little-endian words. Objects of
 * one kind have their keys in the same order, so each key remembers which key followed it: an expected key costs one
 * comparison and up to four word stores.
 */
import { writeUtf8 } from "#utf8";

/** The longest key, in UTF-16 units, that is kept: with 3 bytes a unit and its header it takes less than 64 bytes. */
const MAX_UNITS = 20;
/** Keys kept at once, about 150 bytes each. A full table is emptied. */
const MAX_KEYS = 4096;
/** New keys that may be added before kept ones recur: a table stops adding keys when keys never recur. */
const MAX_CREDIT = 2048;
/** So many look-ups of kept keys give credit for one new key. */
const FOUND_PER_CREDIT = 16;

/** `memberCount`: no object began with this key yet. */
export const UNCOUNTED = -1;
/**
 * `memberCount`: objects that begin with this key need map headers of different sizes, so their members are counted before
 * they are written.
 */
export const UNSTABLE = -2;

/** One property name. */
export class KeyEntry {
  readonly text: string;
  /** The number of bytes, header included. */
  readonly size: number;
  readonly word0: number;
  readonly word1: number;
  readonly word2: number;
  readonly word3: number;
  readonly bytes: Uint8Array;
  /** The key that followed this one last. */
  next: KeyEntry | null = null;
  /** The key that followed before `next` did: `id` is followed by different keys in an order and in its customer. */
  alternative: KeyEntry | null = null;
  /** The first key of the last object that was this key's value, or an element of it. */
  firstInside: KeyEntry | null = null;
  /** The number of members of an object that began with this key, UNCOUNTED or UNSTABLE. */
  memberCount = UNCOUNTED;

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
  /** Stands for the key of the message's root, which has none. */
  readonly root = new KeyEntry("", new Uint8Array(64), 0);
  readonly #keys = new Map<string, KeyEntry>();
  #credit = MAX_CREDIT;
  #foundSinceCredit = 0;
  /** Look-ups that found a kept key. */
  found = 0;
  /** Look-ups that found none: of new keys, and of keys that were dropped. */
  missed = 0;

  /** The entry of `text`, which is not `previous.next`. Null when the key is not kept. */
  after(previous: KeyEntry, text: string): KeyEntry | null {
    const { alternative } = previous;
    const key = alternative !== null && alternative.text === text ? alternative : this.find(text);
    if (key !== null) {
      previous.alternative = previous.next;
      previous.next = key;
    }
    return key;
  }

  /** The entry of `text`; a new one is added if the credit allows it. Null when the key is not kept. */
  find(text: string): KeyEntry | null {
    const key = this.#keys.get(text);
    if (key === undefined) return this.#add(text);
    this.found++;
    if (++this.#foundSinceCredit === FOUND_PER_CREDIT) {
      this.#foundSinceCredit = 0;
      if (this.#credit < MAX_CREDIT) this.#credit++;
    }
    return key;
  }

  #add(text: string): KeyEntry | null {
    this.missed++;
    if (text.length > MAX_UNITS || this.#credit === 0) return null;
    this.#credit--;
    const key = entryOf(text);
    if (key === null) return null;
    if (this.#keys.size === MAX_KEYS) this.#keys.clear();
    this.#keys.set(text, key);
    return key;
  }
}

/** Null for a lone surrogate: MessageWriter.string throws the error. */
function entryOf(text: string): KeyEntry | null {
  const bytes = new Uint8Array(64);
  let end = writeUtf8(bytes, 1, text);
  if (end < 0) return null;
  if (end - 1 < 32) bytes[0] = 0xa0 | (end - 1);
  else {
    bytes.copyWithin(2, 1, end);
    bytes[0] = 0xd9;
    bytes[1] = end - 1;
    end++;
  }
  return new KeyEntry(text, bytes, end);
}
