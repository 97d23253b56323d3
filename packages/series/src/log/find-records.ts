/** Searches a damaged file of the log for records that are right (docs/series-format.md, section 6). */
import { HEADER, SYNCED } from "./record-format.js";
import { type RecordHead, recordAt, syncedNumber } from "./record-reader.js";

/** How far a record's number is after another one: numbers wrap, so the shorter way counts. Negative if it is before. */
export function distance(number: number, after: number): number {
  return (number - after) | 0;
}

/** The first valid record from `from` on, a multiple of eight, whose number is after `number`; undefined if there is none. */
export function recordAfter(
  file: Uint8Array,
  view: DataView,
  from: number,
  number: number | undefined,
): RecordHead | undefined {
  for (let at = from; at + HEADER <= file.length; at += 8) {
    if (number !== undefined && distance(view.getUint32(at + 8, true), number) <= 0) continue;
    const record = recordAt(file, view, at);
    if (record !== undefined) return record;
  }
  return undefined;
}

/**
 * Whether a record from `from` on says that record `number` came to the medium. The number of a file's first record may be unknown;
 * that one came to the medium if anything did, because a file names only records of its own.
 */
export function isSyncedAfter(file: Uint8Array, view: DataView, from: number, number: number | undefined): boolean {
  for (let at = from; at + HEADER <= file.length; at += 8) {
    if (view.getUint8(at + 12) !== SYNCED) continue;
    const record = recordAt(file, view, at);
    if (record === undefined) continue;
    if (number === undefined || distance(syncedNumber(view, record)!, number) >= 0) return true;
  }
  return false;
}
