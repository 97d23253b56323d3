// xorshift128+ as in V8's Math.random: seeded through murmur3, with values computed a pool at a time and returned from
// its end.
// The same seed gives the same values as `node --random_seed=SEED`, so each value can be compared.

/** Number of values that V8 computes at once. */
export const V8_POOL = 64;
const TWO_20 = 2 ** 20;
const TWO_21 = 2 ** 21;
const TWO_52 = 2 ** 52;
const TWO_53 = 2 ** 53;
const MASK = (1n << 64n) - 1n;

/** A seeded source of numbers in [0, 1). Not for secrets. */
export class Xorshift128 {
  #pool;
  #left = 0;
  #isLong;
  // Two words of 64 bits, each as two of 32 bits.
  #high0;
  #low0;
  #high1;
  #low1;

  /** `bits`: number of random bits in a value, 52 up to V8 12 and 53 from V8 13 on. */
  constructor(seed, { pool = V8_POOL, bits = 53 } = {}) {
    const start = BigInt(seed) & MASK;
    [this.#high0, this.#low0] = halves(murmur3(start));
    [this.#high1, this.#low1] = halves(murmur3(~start & MASK));
    this.#pool = new Float64Array(pool);
    this.#isLong = bits === 53;
  }

  next() {
    if (this.#left === 0) this.#refill();
    return this.#pool[--this.#left];
  }

  #refill() {
    const pool = this.#pool;
    const isLong = this.#isLong;
    let high0 = this.#high0;
    let low0 = this.#low0;
    let high1 = this.#high1;
    let low1 = this.#low1;
    for (let i = 0; i < pool.length; i++) {
      let high = high0;
      let low = low0;
      high0 = high1;
      low0 = low1;
      high ^= (high << 23) | (low >>> 9);
      low ^= low << 23;
      low ^= (low >>> 17) | (high << 15);
      high ^= high >>> 17;
      low ^= low0 ^ ((low0 >>> 26) | (high0 << 6));
      high ^= high0 ^ (high0 >>> 26);
      high1 = high;
      low1 = low;
      pool[i] = isLong
        ? ((high0 >>> 0) * TWO_21 + (low0 >>> 11)) / TWO_53
        : ((high0 >>> 0) * TWO_20 + (low0 >>> 12)) / TWO_52;
    }
    this.#high0 = high0;
    this.#low0 = low0;
    this.#high1 = high1;
    this.#low1 = low1;
    this.#left = pool.length;
  }
}

/** The finalizer of MurmurHash3 for 64 bits. */
function murmur3(word) {
  let hash = word ^ (word >> 33n);
  hash = (hash * 0xff51afd7ed558ccdn) & MASK;
  hash ^= hash >> 33n;
  hash = (hash * 0xc4ceb9fe1a85ec53n) & MASK;
  return hash ^ (hash >> 33n);
}

const halves = (word) => [Number(word >> 32n) | 0, Number(word & 0xffffffffn) | 0];
