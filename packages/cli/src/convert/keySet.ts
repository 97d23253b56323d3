import { badInput } from "../shared/failure.js";

/** Words of a fingerprint: 96 bits, so that two keys of a billion are not taken for one. */
const WORDS = 3;
const FIRST_SLOTS = 64;

/**
 * Which keys an object has had that is too large to hold. It keeps a fingerprint of each, 12 bytes in a table that is at
 * most three quarters full: some 25 bytes a key, however long the keys are. The seed differs for each process, so nobody
 * can prepare keys that share one.
 */
export class KeySet {
  #table = new Uint32Array(FIRST_SLOTS * WORDS);
  #count = 0;

  /** Adds a key. False when it was there: then it is a duplicate, as a Map tells them. */
  add(key: unknown): boolean {
    if (typeof key === "object" && key !== null) return true;
    fingerprint(typeof key === "string" ? `"${key}` : typeof key === "bigint" ? `${key}n` : String(key));
    if (!put(this.#table, mark[0]!, mark[1]!, mark[2]!)) return false;
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
}

/** A key comes again in an object whose first entries are gone: that the later one wins can't be done any more. */
export function duplicateKey(key: unknown, at: number): Error {
  const text = typeof key === "string" ? JSON.stringify(key) : String(key);
  const shown = text.length > 60 ? `${text.slice(0, 60)}..` : text;
  const rest = "in an object too large to hold, where the later one cannot win; with --canonical it is held";
  return badInput("ERR_DUPLICATE_KEY", `the key ${shown} comes twice ${rest}`, at);
}

/** A key as a Map of the whole object would hold it: it knows no -0. */
export function asKey(key: unknown): unknown {
  return key === 0 ? 0 : key;
}

/** Puts a fingerprint into the first free slot from its own on. False when it is there. */
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

const seed = crypto.getRandomValues(new Uint32Array(WORDS));
/** The fingerprint of the key last asked for; its first word is never 0, which marks a free slot. */
const mark = new Uint32Array(WORDS);

function fingerprint(text: string): void {
  let [a, b, c] = seed as unknown as [number, number, number];
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    a = Math.imul(a ^ unit, 0x9e3779b1);
    a ^= a >>> 15;
    b = Math.imul(b ^ unit, 0x85ebca77);
    b ^= b >>> 13;
    c = Math.imul(c ^ unit, 0xc2b2ae3d);
    c ^= c >>> 16;
  }
  mark[0] = mixed(a ^ (b >>> 7)) | 1;
  mark[1] = mixed(b ^ (c >>> 9));
  mark[2] = mixed(c ^ (a >>> 11));
}

/** Spreads every bit over all of them. */
function mixed(word: number): number {
  let bits = Math.imul(word ^ (word >>> 16), 0x21f0aaad);
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
  return (bits ^ (bits >>> 15)) >>> 0;
}
