/** Finds valid records in a damaged log file (docs/series-format.md, section 6). */
import { HEADER, SYNCED } from "./record-format.js";
import { type RecordHead, recordAt, syncedNumber } from "./record-reader.js";

/** Returns the distance of two record numbers. Numbers wrap around, so the shorter way counts. Negative if the record is before. */
export function distance(number: number, after: number): number {
  return (number - after) | 0;
}

/** Returns the first valid record at or after `from`, a multiple of eight, with a number after `number`; undefined without one. */
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
 * True if a record at or after `from` states that record `number` was synced. The number of a file's first record may be unknown. That
 * record was synced if any `synced` record exists, because a file names only its own records.
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
