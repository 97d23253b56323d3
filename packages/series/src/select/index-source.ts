/** The source of metrics and of selections: two ordered maps of bytes, which are columns of a database or made from files of names. */
import type { Entry, GetOptions, RangeOptions } from "../drivers/driver.js";

/** The column with metrics, by canonical form and by id. */
export const METRICS = 1;
/** The column with the tag index. */
export const INDEX = 2;

/** The read functions of the columns. */
export interface IndexSource {
  /** Returns the values of keys, in the order of the keys; undefined for a missing key. */
  getMany(column: number, keys: readonly Uint8Array[], options?: GetOptions): Promise<(Uint8Array | undefined)[]>;
  /** Returns a snapshot of the entries from `from` (inclusive) to `to` (exclusive), in chunks of about 64 KB. */
  range(column: number, from: Uint8Array, to: Uint8Array, options?: RangeOptions): AsyncIterable<readonly Entry[]>;
  /** Returns a promise that work on the entries must await, so that the event loop can continue, or undefined. */
  pause?(): Promise<void> | undefined;
}
