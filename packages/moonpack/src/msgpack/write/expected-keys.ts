/**
 * The keys that the encoder expects: property names with their encoded bytes, header included, as little-endian words. The
 * place determines the expected key. After a key, it is the key that followed it last; in an object, the first key of the last
 * object at this place (the value of this key, the element before). An expected key costs one comparison and up to four word
 * stores.
 *
 * Keys are never looked up. While expectations mostly fail, as in a process with hundreds of kinds of messages, the encoder expects
 * no keys: writing a key's characters is faster than finding it (measured: an encoder with a table of all keys took 1.4 times
 * the time of one without).
 */
import { writeUtf8 } from "#platform";

/** The longest kept key, in UTF-16 units: with 3 bytes per unit and its header it takes less than 64 bytes. */
const MAX_UNITS = 20;
/** The most kept keys, about 150 bytes each. With one more, all are discarded. */
const MAX_KEYS = 4096;
/** Keys that may be added at once. Each VALUES_A_CREDIT values add the credit for one more key, so endless new keys cost little. */
const MAX_CREDIT = 1024;
const VALUES_A_CREDIT = 1024;
/** After this many keys, the encoder continues to expect keys only if at least the share below was expected. */
const TRIED_KEYS = 1024;
const LEAST_HITS = 0.75;
/** If it stops, it tries again after this many messages or values: a message may have one value or a million. */
const REST_MESSAGES = 4096;
const REST_VALUES = 0x40000;

/** `memberCount` before any object began with this key. */
export const UNCOUNTED = -1;
/**
 * `memberCount` if objects that begin with this key need map headers of different sizes: their members are counted before they
 * are written.
 */
export const UNSTABLE = -2;

/** A key at one place. */
export class KeyEntry {
  readonly text: string;
  /** The number of bytes, header included. */
  readonly size: number;
  readonly word0: number;
  readonly word1: number;
  readonly word2: number;
  readonly word3: number;
  readonly bytes: Uint8Array;
  /** The last key that followed this one, and the previous such key. */
  next: KeyEntry | null = null;
  alternative: KeyEntry | null = null;
  /** The first key of the last object in this key's value (or its elements), and the previous such key. */
  firstInside: KeyEntry | null = null;
  alternativeInside: KeyEntry | null = null;
  /** The last unexpected key here. It is kept when it occurs twice in a row. */
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
  #creditAt = VALUES_A_CREDIT;
  /** Messages since the encoder stopped expecting keys, and the number of values at which it tries again. */
  #rested = 0;
  #restUntil = 0;
  /** Expected keys, and other keys. Neither counter changes while the encoder expects no keys. */
  hits = 0;
  misses = 0;
  /** The counters at the start of this try. */
  #hitsBefore = 0;
  #missesBefore = 0;
  /** True if keys are expected in this message. */
  isExpecting = true;

  /** Begins a message. `values`: the number of values that the encoder has written. */
  begin(values: number): void {
    if (values >= this.#creditAt) {
      this.#credit = Math.min(MAX_CREDIT, this.#credit + 1 + Math.floor((values - this.#creditAt) / VALUES_A_CREDIT));
      this.#creditAt = values + VALUES_A_CREDIT;
    }
    if (!this.isExpecting) {
      if (++this.#rested >= REST_MESSAGES || values >= this.#restUntil) this.isExpecting = true;
      return;
    }
    const hits = this.hits - this.#hitsBefore;
    const tried = hits + this.misses - this.#missesBefore;
    if (tried < TRIED_KEYS) return;
    this.isExpecting = hits >= LEAST_HITS * tried;
    this.#rested = 0;
    this.#restUntil = values + REST_VALUES;
    this.#hitsBefore = this.hits;
    this.#missesBefore = this.misses;
  }

  /** Returns the entry of the key `text` after `previous`, if it is not `previous.next`. Null if it is not kept. */
  after(previous: KeyEntry, text: string): KeyEntry | null {
    const { next, alternative } = previous;
    let key = alternative;
    if (key === null || key.text !== text) {
      key = next === null || this.#isExpectedNow(previous, text) ? this.#add(previous, text) : null;
      if (key === null) return null;
    }
    previous.alternative = next;
    previous.next = key;
    return key;
  }

  /** The same for the first key of an object inside `parent`, if it is not `parent.firstInside`. */
  inside(parent: KeyEntry, text: string): KeyEntry | null {
    const { firstInside, alternativeInside } = parent;
    let key = alternativeInside;
    if (key === null || key.text !== text) {
      key = this.#isExpectedNow(parent, text) ? this.#add(parent, text) : null;
      if (key === null) return null;
    }
    parent.alternativeInside = firstInside;
    parent.firstInside = key;
    return key;
  }

  /** True if the same unexpected key was at this place the last time. */
  #isExpectedNow(place: KeyEntry, text: string): boolean {
    if (place.candidate === text) return true;
    if (text.length <= MAX_UNITS) place.candidate = text;
    return false;
  }

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
