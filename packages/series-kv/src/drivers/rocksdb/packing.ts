/**
 * Packs keys, values or entries into one buffer, which moves between threads without a copy. Copying each key and value would cost the
 * main thread more than the database does. Unpacking returns views of the buffer.
 */
import { ByteReader, putUvar32, uvar32Size } from "moonpack/bytes";
import type { Entry, Operation } from "../driver.js";

/** The bit of an operation's first byte that marks a value. The other bits are the column. */
const HAS_VALUE = 0x80;

/** Allocates a separate buffer, which can be moved to another thread; not zeroed. */
function allocate(bytes: number): Uint8Array<ArrayBuffer> {
  return Buffer.allocUnsafeSlow(bytes);
}

function putBytes(target: Uint8Array, at: number, bytes: Uint8Array): number {
  const start = putUvar32(target, at, bytes.length);
  target.set(bytes, start);
  return start + bytes.length;
}

function sizeOf(bytes: Uint8Array): number {
  return uvar32Size(bytes.length) + bytes.length;
}

/** Packs all operations into one buffer. */
export function packOperations(operations: readonly Operation[]): Uint8Array<ArrayBuffer> {
  let size = 0;
  for (const { key, value } of operations) size += 1 + sizeOf(key) + (value === undefined ? 0 : sizeOf(value));
  const packed = allocate(size);
  let at = 0;
  for (const { column, key, value } of operations) {
    packed[at++] = value === undefined ? column : column | HAS_VALUE;
    at = putBytes(packed, at, key);
    if (value !== undefined) at = putBytes(packed, at, value);
  }
  return packed;
}

/** Calls `put` or `del` for each operation. */
export function unpackOperations(
  packed: Uint8Array,
  put: (column: number, key: Uint8Array, value: Uint8Array) => void,
  del: (column: number, key: Uint8Array) => void,
): void {
  const r = new ByteReader(packed);
  while (r.pos < r.end) {
    const head = r.u8();
    const key = r.raw(r.uvar32());
    if ((head & HAS_VALUE) === 0) del(head, key);
    else put(head & ~HAS_VALUE, key, r.raw(r.uvar32()));
  }
}

/** Packs keys or values into one buffer. */
export function packList(list: readonly (Uint8Array | undefined)[]): Uint8Array<ArrayBuffer> {
  let size = 0;
  for (const bytes of list) size += bytes === undefined ? 1 : uvar32Size(bytes.length + 1) + bytes.length;
  const packed = allocate(size);
  let at = 0;
  for (const bytes of list) {
    // The stored number is the length plus 1; 0 stands for undefined.
    at = putUvar32(packed, at, bytes === undefined ? 0 : bytes.length + 1);
    if (bytes === undefined) continue;
    packed.set(bytes, at);
    at += bytes.length;
  }
  return packed;
}

/** Unpacks a list of {@link packList}. */
export function unpackList(packed: Uint8Array): (Uint8Array | undefined)[] {
  const r = new ByteReader(packed);
  const list: (Uint8Array | undefined)[] = [];
  while (r.pos < r.end) {
    const length = r.uvar32();
    list.push(length === 0 ? undefined : r.raw(length - 1));
  }
  return list;
}

/** Unpacks entries from a list of alternating keys and values. Keys only: the values are empty. */
export function unpackEntries(packed: Uint8Array): Entry[] {
  const rows = unpackList(packed);
  const noValue = new Uint8Array(0);
  const entries: Entry[] = [];
  for (let i = 0; i < rows.length; i += 2) entries.push([rows[i]!, rows[i + 1] ?? noValue]);
  return entries;
}
