/**
 * Rejects Maps whose numeric keys were chosen to collide. V8 hashes numbers and bigints without a seed, so a sender can choose
 * keys that all fall into one bucket. Filling such a Map takes quadratic time (20,000 keys, 120 KB: 0.75 s). This guard hashes
 * each key of a large Map as V8 does, into as many buckets as the finished Map has. Ordinary keys fill a bucket with 2 keys on
 * average, and never with 32.
 *
 * The hash functions are V8's (`ComputeUnseededHash`, `ComputeLongHash`, after Thomas Wang's integer hash functions). This does
 * not guard the Maps of other engines; see SECURITY.md.
 */
import { DecodeError } from "./errors.js";

/** Maps of up to this many keys are not checked: with all keys in one bucket they take about six times as long. */
export const FLOOD_KEYS = 128;
/** The most keys in one bucket. With sequences, multiples, times and ids of up to a million keys, the fullest had 14. */
const MAX_IN_BUCKET = 32;

/** Counts the keys of one Map for each bucket. Made by {@link keyFlood}. */
export class KeyFlood {
  readonly #buckets: Uint8Array;
  readonly #mask: number;

  /** For a Map of up to `count` keys. V8 has one bucket for two keys. */
  constructor(count: number) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(2, count)) - 1);
    this.#buckets = new Uint8Array(size);
    this.#mask = size - 1;
  }

  /** Counts a new key. `ERR_LIMIT_ELEMENTS` at `offset` when its bucket is full. V8 seeds the hashes of other types. */
  add(key: unknown, offset: number): void {
    if (this.isFull(key)) throw collidingKeys(offset);
  }

  /** Counts a key that is added; true if its bucket has too many. */
  isFull(key: unknown): boolean {
    let hash: number;
    if (typeof key === "number" && key === (key | 0)) hash = hashOfInt32(key);
    else {
      if (typeof key === "number") keyWords.setFloat64(0, key);
      else if (typeof key === "bigint") keyWords.setBigUint64(0, key < 0n ? -key : key);
      else return false;
      hash = hashOf64(keyWords.getInt32(0), keyWords.getInt32(4));
    }
    return ++this.#buckets[hash & this.#mask]! > MAX_IN_BUCKET;
  }
}

/** The error text for a Map whose keys were chosen to collide. */
export const COLLIDING_KEYS = "keys that were chosen to collide in a Map";

/** The error for a Map whose keys were chosen to collide. */
export function collidingKeys(offset: number): DecodeError {
  return new DecodeError("ERR_LIMIT_ELEMENTS", COLLIDING_KEYS, offset);
}

/**
 * Returns the guard for a Map or Set of up to `count` untrusted keys; null if it is too small to need one.
 *
 * @example
 * const flood = keyFlood(pairs.length);
 * for (const [key, value] of pairs) {
 *   if (!map.has(key)) flood?.add(key, 0); // ERR_LIMIT_ELEMENTS
 *   map.set(key, value);
 * }
 */
export function keyFlood(count: number): KeyFlood | null {
  return count > FLOOD_KEYS ? new KeyFlood(count) : null;
}

/**
 * The guard of a growing Map or Set, for example if its size is only declared in a header. Its memory grows with the number of
 * keys. Recounting the keys takes 3 ns per key in a Map of 200 keys, 14 ns in a Map of 2,000.
 */
export class GrowingKeyFlood {
  #room = FLOOD_KEYS;
  #flood: KeyFlood | null = null;

  /** Counts a key that is added to `known`; true if its bucket has too many. Call it for each key that is not a string. */
  isFull(key: unknown, known: ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>): boolean {
    const { size } = known;
    if (size < FLOOD_KEYS) return false;
    if (size >= this.#room) {
      while (this.#room <= size) this.#room *= 2;
      this.#flood = new KeyFlood(this.#room);
      for (const each of known.keys()) this.#flood.isFull(each);
    }
    return this.#flood!.isFull(key);
  }
}

function hashOfInt32(key: number): number {
  let hash = (~key + (key << 15)) | 0;
  hash ^= hash >>> 12;
  hash = (hash + (hash << 2)) | 0;
  hash ^= hash >>> 4;
  hash = Math.imul(hash, 2057);
  return (hash ^ (hash >>> 16)) & 0x3fffffff;
}

// Used within one call only: filled and read at once.
const keyWords = /* @__PURE__ */ new DataView(/* @__PURE__ */ new ArrayBuffer(8));

/** The multipliers and shifts of the three steps of V8's hash of 64 bits. */
const STEPS = [2 ** 18 - 1, 31, 21, 11, 65, 22] as const;

/** Hashes two words. Each step multiplies (the first one also subtracts 1), then does `hash ^= hash >>> shift`. */
function hashOf64(keyHigh: number, keyLow: number): number {
  let low = keyLow;
  let high = keyHigh;
  for (let i = 0; i < 6; i += 2) {
    // At most 50 bits, so exact.
    const product = (low >>> 0) * STEPS[i]! - (i === 0 ? 1 : 0);
    const shift = STEPS[i + 1]!;
    high = (Math.imul(high, STEPS[i]!) + Math.floor(product / 0x100000000)) | 0;
    low = product ^ ((high << (32 - shift)) | ((product | 0) >>> shift));
    high ^= high >>> shift;
  }
  return low & 0x3fffffff;
}
