/** Sets of ids by chunk, and reading entries of the tag index into them. */
import { CHUNK, ChunkIds } from "../metric/tag-index.js";
import { chunkOfKey, damagedEntry } from "./index-keys.js";

/** Ids by chunk. No chunk is empty. */
export type IdSet = Map<number, ChunkIds>;

/** A shorter value is a list with two bytes per id. */
const BITMAP_BYTES = CHUNK / 8;

/** Adds the ids of an entry. Throws `ERR_SERIES_CORRUPT` if it is damaged. */
export function addEntry(set: IdSet, key: Uint8Array, value: Uint8Array): void {
  const chunk = chunkOfKey(key);
  let ids = set.get(chunk);
  if (ids === undefined) set.set(chunk, (ids = new ChunkIds()));
  if (isList(value)) {
    for (let i = 0; i < value.length; i += 2) ids.add(idAt(key, value, i));
  } else ids.or(bitmap(key, value));
}

/** True if an entry has one of the ids of its chunk. Throws `ERR_SERIES_CORRUPT` if it is damaged. */
export function hasAnyOf(ids: ChunkIds, key: Uint8Array, value: Uint8Array): boolean {
  if (isList(value)) {
    for (let i = 0; i < value.length; i += 2) if (ids.has(idAt(key, value, i))) return true;
    return false;
  }
  const common = bitmap(key, value);
  common.and(ids);
  return !isEmpty(common);
}

/** Returns the ids of an entry. Throws `ERR_SERIES_CORRUPT` if it is damaged. */
export function entryIds(key: Uint8Array, value: Uint8Array): ChunkIds {
  const ids = ChunkIds.parse(value);
  if (ids === undefined) throw damagedIds(key);
  return ids;
}

/** Keeps only ids that are also in `other`. */
export function intersect(set: IdSet, other: IdSet): void {
  for (const [chunk, ids] of set) {
    const others = other.get(chunk);
    if (others !== undefined) ids.and(others);
    if (others === undefined || isEmpty(ids)) set.delete(chunk);
  }
}

/** Removes the ids of `other`. */
export function subtract(set: IdSet, other: IdSet): void {
  for (const [chunk, others] of other) {
    const ids = set.get(chunk);
    if (ids === undefined) continue;
    ids.subtract(others);
    if (isEmpty(ids)) set.delete(chunk);
  }
}

/** Keeps only ids up to `maxId`. */
export function limitIds(set: IdSet, maxId: number): void {
  for (const [chunk, ids] of set) {
    if (chunk * CHUNK + CHUNK - 1 <= maxId) continue;
    for (const k of ids.list()) if (chunk * CHUNK + k > maxId) ids.delete(k);
    if (isEmpty(ids)) set.delete(chunk);
  }
}

function isEmpty({ bits }: ChunkIds): boolean {
  for (let i = 0; i < bits.length; i++) if (bits[i] !== 0) return false;
  return true;
}

/** True if the length of an entry is valid for a list. */
function isList({ length }: Uint8Array): boolean {
  return length < BITMAP_BYTES && length % 2 === 0 && length > 0;
}

function idAt(key: Uint8Array, value: Uint8Array, i: number): number {
  const k = value[i]! | (value[i + 1]! << 8);
  if (k >= CHUNK) throw damagedIds(key);
  return k;
}

function bitmap(key: Uint8Array, value: Uint8Array): ChunkIds {
  if (value.length !== BITMAP_BYTES) throw damagedIds(key);
  return entryIds(key, value);
}

function damagedIds(key: Uint8Array): Error {
  return damagedEntry(key, "the ids of an index entry are damaged");
}
