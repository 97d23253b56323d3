import { badInput } from "../shared/failure.js";

/** Words of a fingerprint: 96 bits, so that two of a billion keys do not have the same one by chance. */
const WORDS = 3;
const FIRST_SLOTS = 64;

/**
 * The keys of an object that is too large to hold. It stores a fingerprint of 12 bytes for each key, in a table that is at most
 * three quarters full: about 25 bytes a key, regardless of the key's length. Each set has a random seed, so that no input can
 * be prepared with keys that share a fingerprint.
 */
export class KeySet {
  #table = new Uint32Array(FIRST_SLOTS * WORDS);
  #count = 0;
  readonly #seed = crypto.getRandomValues(new Uint32Array(WORDS));
  /** The fingerprint of the last key. Its first word is never 0, which marks a free slot. */
  readonly #last = new Uint32Array(WORDS);

  /** Adds a key. Returns false for a duplicate. Keys are equal when they are equal in a Map. */
  add(key: unknown): boolean {
    if (typeof key === "object" && key !== null) return true;
    this.#fingerprint(typeof key === "string" ? `"${key}` : typeof key === "bigint" ? `${key}n` : String(key));
    const last = this.#last;
    if (!put(this.#table, last[0]!, last[1]!, last[2]!)) return false;
    if (++this.#count * 4 > (this.#table.length / WORDS) * 3) this.#grow();
    return true;
  }

  #grow(): void {
    const table = new Uint32Array(this.#table.length * 2);
    for (let at = 0; at < this.#table.length; at += WORDS) {
      const [a, b, c] = this.#table.subarray(at, at + WORDS);
      if (a !== 0) put(table, a!, b!, c!);
    }
    this.#table = table;
  }

  #fingerprint(text: string): void {
    let [a, b, c] = this.#seed as unknown as [number, number, number];
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      a = Math.imul(a ^ unit, 0x9e3779b1);
      a ^= a >>> 15;
      b = Math.imul(b ^ unit, 0x85ebca77);
      b ^= b >>> 13;
      c = Math.imul(c ^ unit, 0xc2b2ae3d);
      c ^= c >>> 16;
    }
    this.#last[0] = mixed(a ^ (b >>> 7)) | 1;
    this.#last[1] = mixed(b ^ (c >>> 9));
    this.#last[2] = mixed(c ^ (a >>> 11));
  }
}

/** Returns the error of a duplicate key when the first entry has already been written. */
export function duplicateKey(key: unknown, at: number): Error {
  const rest = "in an object that is too large to hold in memory; --canonical holds it and lets the last one win";
  return badInput("ERR_DUPLICATE_KEY", `the key ${shownKey(key)} comes twice ${rest}`, at);
}

/** Returns a key as errors show it. */
export function shownKey(key: unknown): string {
  const text = typeof key === "string" ? JSON.stringify(key) : String(key);
  return text.length > 60 ? `${text.slice(0, 60)}..` : text;
}

/** Returns a key as a Map holds it: -0 becomes 0. */
export function asKey(key: unknown): unknown {
  return key === 0 ? 0 : key;
}

/** Stores the fingerprint in the first free slot from its own on. Returns false if it is already there. */
function put(table: Uint32Array, a: number, b: number, c: number): boolean {
  const slots = table.length / WORDS;
  for (let slot = b & (slots - 1); ; slot = (slot + 1) & (slots - 1)) {
    const at = slot * WORDS;
    if (table[at] === 0) {
      table[at] = a;
      table[at + 1] = b;
      table[at + 2] = c;
      return true;
    }
    if (table[at] === a && table[at + 1] === b && table[at + 2] === c) return false;
  }
}

/** Spreads every bit over all others. */
function mixed(word: number): number {
  let bits = Math.imul(word ^ (word >>> 16), 0x21f0aaad);
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
  return (bits ^ (bits >>> 15)) >>> 0;
}
