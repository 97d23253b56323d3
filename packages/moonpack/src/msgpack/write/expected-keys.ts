/**
 * The keys that the encoder expects: property names with their encoded bytes, header included, as little-endian words.
 *
 * After a key, the encoder expects the key that followed the same key the last time. At the start of an object, it expects the first
 * key of the last object at the same place. Two objects are at the same place if they are values of the same key, or elements of the
 * same list. An expected key costs one comparison and up to four word stores.
 *
 * Keys are never looked up. If fewer than three quarters of the keys are the expected ones, as in a process with hundreds of kinds of
 * messages, the encoder stops expecting keys for some time. To write a key's characters is faster than to find the key (measured: an encoder with a table of all
 * keys took 1.4 times the time of one without).
 */
import { writeUtf8 } from "#platform";

/** The length of the longest kept key in UTF-16 units. With 3 bytes per unit and its header, a key takes less than 64 bytes. */
const MAX_UNITS = 20;
/** Maximum number of kept keys, of about 150 bytes each. One more key discards all of them. */
const MAX_KEYS = 4096;
/** Maximum credit. Each new key takes 1 from the credit, so endless new keys cost little. */
const MAX_CREDIT = 1024;
/** Number of written values that add 1 to the credit. */
const VALUES_PER_CREDIT = 1024;
/** The hit rate of the expected keys is checked after this many keys. */
const TRIED_KEYS = 1024;
/** The encoder stops expecting keys if less than this share of the tried keys were the expected ones. */
const MIN_HIT_RATE = 0.75;
/**
 * After it has stopped, the encoder tries again after this many messages or values: a message may have one value or a
 * million.
 */
const REST_MESSAGES = 4096;
const REST_VALUES = 0x40000;

/** `memberCount` before any object began with this key. */
export const UNCOUNTED = -1;
/**
 * `memberCount` if objects that begin with this key need map headers of different sizes: their members are counted before they
 * are written.
 */
export const UNSTABLE = -2;

/** A key at one place: after a certain key, or at the start of an object inside a certain key. */
export class KeyEntry {
  readonly text: string;
  /** The number of bytes, header included. */
  readonly size: number;
  readonly word0: number;
  readonly word1: number;
  readonly word2: number;
  readonly word3: number;
  readonly bytes: Uint8Array;
  /** The key that followed this one the last time. */
  next: KeyEntry | null = null;
  /** The key that followed this one before `next`. */
  alternative: KeyEntry | null = null;
  /** The first key of the last object that was this key's value, or an element of it. */
  firstInside: KeyEntry | null = null;
  /** The first key of such objects before `firstInside`. */
  alternativeInside: KeyEntry | null = null;
  /** The last unexpected key after this key, or inside its value. It gets an entry when it occurs twice in a row. */
  candidate = "";
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
export class ExpectedKeys {
  /** A placeholder for the key of the message's root. */
  root = placeholder();
  /** A placeholder for a key that is not kept: the encoder expects no key after it or inside it. */
  readonly nowhere = placeholder();
  #kept = 0;
  #credit = MAX_CREDIT;
  /** The number of written values at which the next credit is added. */
  #creditAt = VALUES_PER_CREDIT;
  /** Number of messages since the encoder stopped expecting keys. */
  #rested = 0;
  /** The number of written values at which it tries again. */
  #restUntil = 0;
  /** Number of keys that were the expected ones. Does not change while the encoder expects no keys. */
  hits = 0;
  /** Number of other keys. Does not change while the encoder expects no keys. */
  misses = 0;
  /** `hits` at the start of this try. */
  #hitsBefore = 0;
  /** `misses` at the start of this try. */
  #missesBefore = 0;
  /** True if keys are expected in this message. */
  isExpecting = true;

  /** Begins a message. `values`: the number of values that the encoder has written. */
  begin(values: number): void {
    if (values >= this.#creditAt) {
      this.#credit = Math.min(MAX_CREDIT, this.#credit + 1 + Math.floor((values - this.#creditAt) / VALUES_PER_CREDIT));
      this.#creditAt = values + VALUES_PER_CREDIT;
    }
    if (!this.isExpecting) {
      if (++this.#rested >= REST_MESSAGES || values >= this.#restUntil) this.isExpecting = true;
      return;
    }
    const hits = this.hits - this.#hitsBefore;
    const tried = hits + this.misses - this.#missesBefore;
    if (tried < TRIED_KEYS) return;
    this.isExpecting = hits >= MIN_HIT_RATE * tried;
    this.#rested = 0;
    this.#restUntil = values + REST_VALUES;
    this.#hitsBefore = this.hits;
    this.#missesBefore = this.misses;
  }

  /**
   * Returns the entry of the key `text` after `previous`; null if the key is not kept. The caller has checked that `text` is not
   * `previous.next`.
   */
  after(previous: KeyEntry, text: string): KeyEntry | null {
    const { next, alternative } = previous;
    let key = alternative;
    if (key === null || key.text !== text) {
      key = next === null || this.#noteUnexpected(previous, text) ? this.#add(previous, text) : null;
      if (key === null) return null;
    }
    previous.alternative = next;
    previous.next = key;
    return key;
  }

  /**
   * Returns the entry of the first key of an object inside `parent`; null if the key is not kept. The caller has checked that `text`
   * is not `parent.firstInside`.
   */
  inside(parent: KeyEntry, text: string): KeyEntry | null {
    const { firstInside, alternativeInside } = parent;
    let key = alternativeInside;
    if (key === null || key.text !== text) {
      key = this.#noteUnexpected(parent, text) ? this.#add(parent, text) : null;
      if (key === null) return null;
    }
    parent.alternativeInside = firstInside;
    parent.firstInside = key;
    return key;
  }

  /** Notes a key that was not expected at a place. Returns true if it is the second time in a row. */
  #noteUnexpected(place: KeyEntry, text: string): boolean {
    if (place.candidate === text) return true;
    if (text.length <= MAX_UNITS) place.candidate = text;
    return false;
  }

  /** Returns a new entry for a key at a place; null if it must not be kept. */
  #add(place: KeyEntry, text: string): KeyEntry | null {
    if (text.length > MAX_UNITS || this.#credit === 0 || place === this.nowhere) return null;
    const key = entryOf(text);
    if (key === null) return null;
    this.#credit--;
    if (++this.#kept > MAX_KEYS) {
      this.#kept = 0;
      this.root = placeholder();
    }
    return key;
  }
}

function placeholder(): KeyEntry {
  return new KeyEntry("", new Uint8Array(64), 0);
}

/** Returns the entry of a key; null for a lone surrogate, for which MessageWriter.string throws the error. */
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
