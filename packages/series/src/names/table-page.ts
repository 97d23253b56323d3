/** Pages of sorted entries (docs/series-format.md, "Names"): a key is written without the prefix that it shares with the previous one. */
import { ByteReader, type ByteWriter, DecodeError } from "moonpack/bytes";
import { CRC_BYTES, checkCrc, writeCrc } from "../blocks/format.js";
import type { Entry } from "../drivers/driver.js";

/** Number of entries of each page except the last one of a table. So the page of an entry follows from its number. */
export const PAGE_ENTRIES = 64;
const PAGE_BITS = 6;
/** Bytes of a key, and of a value. */
const MAX_BYTES = 16_384;

/** The page of an entry, by the entry's number. */
export function pageOfEntry(number: number): number {
  return number >>> PAGE_BITS;
}

/** Writes a page of at least one entry. */
export function writeTablePage(w: ByteWriter, entries: readonly Entry[]): void {
  const start = w.pos;
  w.uvar32(entries.length);
  let before: Uint8Array = new Uint8Array(0);
  for (const [key, value] of entries) {
    const shared = sharedBytes(before, key);
    w.uvar32(shared);
    w.uvar32(key.length - shared);
    w.uvar32(value.length);
    w.raw(key.subarray(shared));
    w.raw(value);
    before = key;
  }
  writeCrc(w, start);
}

/** Reads a page with its checksum. Throws a DecodeError if it is damaged. */
export function readTablePage(bytes: Uint8Array): Entry[] {
  const end = bytes.length - CRC_BYTES;
  const r = new ByteReader(bytes, 0, Math.max(end, 0));
  if (end < 1) throw new DecodeError("ERR_TRUNCATED", "a page of names is longer", 0, 1 - end);
  checkCrc(bytes, r.view, 0, end);
  const n = r.uvar32();
  if (n === 0 || n > PAGE_ENTRIES) throw new DecodeError("ERR_OUT_OF_RANGE", `${n} entries of a page`, 0);
  const entries: Entry[] = [];
  let before: Uint8Array = new Uint8Array(0);
  for (let i = 0; i < n; i++) {
    const at = r.pos;
    const shared = r.uvar32();
    const rest = r.uvar32();
    const length = r.uvar32();
    if (shared > before.length || rest > MAX_BYTES || length > MAX_BYTES)
      throw new DecodeError("ERR_OUT_OF_RANGE", "an entry of a page of names", at);
    const key = new Uint8Array(shared + rest);
    key.set(before.subarray(0, shared));
    key.set(r.raw(rest), shared);
    if (i > 0 && Buffer.compare(before, key) >= 0) throw new DecodeError("ERR_MAP_ORDER", "keys do not ascend", at);
    entries.push([key, r.raw(length).slice()]);
    before = key;
  }
  if (r.pos !== end) throw new DecodeError("ERR_TRAILING_BYTES", "bytes follow the last entry", r.pos);
  return entries;
}

/** Returns the length of the common prefix. */
function sharedBytes(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length);
  let i = 0;
  while (i < most && a[i] === b[i]) i++;
  return i;
}

/** The position of the first entry whose key is at least `key`. */
export function firstEntryAtLeast(entries: readonly Entry[], key: Uint8Array): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Buffer.compare(entries[middle]![0], key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
