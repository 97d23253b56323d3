/** A pool of random bytes of a CSPRNG: one call of `randomFillSync` for 128 ids. */
import { randomFillSync } from "node:crypto";

/** 128 ids of 16 bytes. */
const POOL_BYTES = 128 * 16;

let pool: Uint8Array | undefined;
let end = POOL_BYTES;

/**
 * Takes `count` bytes, at most 16, and returns the pool: they are the ones before {@link takenEnd}. They are to be read before
 * the next call. No byte is taken twice.
 */
export function takeRandom(count: number): Uint8Array {
  end += count;
  if (pool === undefined || end > POOL_BYTES) {
    pool ??= new Uint8Array(POOL_BYTES);
    randomFillSync(pool);
    end = count;
  }
  return pool;
}

/** The position after the bytes that were taken last. */
export function takenEnd(): number {
  return end;
}
