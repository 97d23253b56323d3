/** Map keys that V8 puts into one bucket, found by trying, with a second implementation of V8's hash. */

/** Returns `count` keys that are all in bucket 7 of 128 buckets. */
export function collidingKeys(count: number, keyOf: (i: number) => number | bigint): (number | bigint)[] {
  const keys: (number | bigint)[] = [];
  for (let i = 1; keys.length < count; i++) if (isInBucket7(keyOf(i))) keys.push(keyOf(i));
  return keys;
}

function isInBucket7(key: number | bigint): boolean {
  return (hashOf(key) & 127n) === 7n;
}

/** Returns V8's hash of a key: a second, slow implementation with bigints. */
export function hashOf(key: number | bigint): bigint {
  if (typeof key === "number" && Number.isInteger(key) && Math.abs(key) < 2 ** 31) {
    const word = (value: bigint) => BigInt.asUintN(32, value);
    let hash = word(BigInt(key));
    hash = word(~hash + (hash << 15n));
    hash = word(hash ^ (hash >> 12n));
    hash = word(hash + (hash << 2n));
    hash = word(hash ^ (hash >> 4n));
    hash = word(hash * 2057n);
    return word(hash ^ (hash >> 16n));
  }
  const long = (value: bigint) => BigInt.asUintN(64, value);
  let hash: bigint;
  if (typeof key === "bigint") hash = long(key < 0n ? -key : key);
  else hash = new BigUint64Array(new Float64Array([key]).buffer)[0]!;
  hash = long(~hash + (hash << 18n));
  hash = long(hash ^ (hash >> 31n));
  hash = long(hash * 21n);
  hash = long(hash ^ (hash >> 11n));
  hash = long(hash + (hash << 6n));
  return long(hash ^ (hash >> 22n));
}

/** Numbers of each kind that V8 hashes in its own way. */
export const KINDS_OF_KEYS = {
  integers: (i: number) => i,
  "negative integers": (i: number) => -i,
  fractions: (i: number) => i + 0.5,
  "large integers": (i: number) => 2 ** 33 + i,
  bigints: (i: number) => 2n ** 60n + BigInt(i),
  "negative bigints": (i: number) => -(2n ** 60n) - BigInt(i),
} as const;
