/** A pool of random bytes from a CSPRNG: one call of `randomFillSync` for 128 ids. */
import { randomFillSync } from "node:crypto";

/** 128 ids of 16 bytes. */
const POOL_BYTES = 128 * 16;

let pool: Uint8Array | undefined;
let end = POOL_BYTES;

/**
 * Takes `count` bytes, at most 16, and returns the pool. The bytes end at {@link takenEnd}. Read them before the next call. Each byte is
 * taken once.
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

/** Returns the position after the bytes that were taken last. */
export function takenEnd(): number {
  return end;
}
