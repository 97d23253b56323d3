/** The policy of all writers for keeping memory for the next message. */

/** Memory of up to this size is always kept. */
const KEPT_BYTES = 0x100000;
/** Larger memory is kept while messages need it. Above this size it is always released: one huge message must not keep it. */
export const KEPT_IN_USE_BYTES = 0x1000000;
/** After this many messages in a row that use less than a quarter of large memory, it is released. */
const IDLE_MESSAGES = 32;

/**
 * Counts consecutive messages that used less than a quarter of large memory. Returns the new count after a message that used
 * `used` of `size` bytes, or -1 if the memory should be released.
 */
export function idleAfter(idle: number, used: number, size: number): number {
  const count = size > KEPT_BYTES && used < size / 4 ? idle + 1 : 0;
  return size > KEPT_IN_USE_BYTES || count > IDLE_MESSAGES ? -1 : count;
}
