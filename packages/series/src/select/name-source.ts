/** The metrics that are on disk, and the tag index: files of names, or columns of a database. */
import type { Entry } from "../drivers/driver.js";
import type { StoredName } from "../metric/stored-name.js";

/** The entries of the tag index (docs/series-format.md, section 2), by ascending key. */
export interface TagIndex {
  /** Returns the ids of entries, in the order of the keys; undefined for a missing entry. */
  get(keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]>;
  /**
   * Returns a snapshot of the entries from `from` (inclusive) to `to` (exclusive), in pieces of about 64 KB. With `keysOnly` their values
   * may be empty.
   */
  range(from: Uint8Array, to: Uint8Array, keysOnly: boolean): AsyncIterable<readonly Entry[]>;
  /** Returns a promise that work on the entries must await, so that the event loop can continue, or undefined. */
  pause?(): Promise<void> | undefined;
}

/** The metrics on disk. Damaged entries are `ERR_SERIES_CORRUPT`. */
export interface NameSource extends TagIndex {
  /** Returns the metrics with these canonical forms, in their order; undefined for a form without a metric. */
  byForm(forms: readonly Uint8Array[]): Promise<(StoredName | undefined)[]>;
  /** Returns the metrics with these ids, in their order; undefined for an id without a metric. */
  byId(ids: readonly number[]): Promise<(StoredName | undefined)[]>;
}
