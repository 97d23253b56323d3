/** Batches of operations as one piece of memory, which moves to the writing thread without a copy of each key and value. */
import { ByteReader, ByteWriter } from "moonpack/bytes";
import type { Operation } from "./driver.js";

const HAS_VALUE = 0x80;

/** All operations in one array of its own. */
export function packOperations(operations: readonly Operation[]): Uint8Array<ArrayBuffer> {
  const w = new ByteWriter();
  for (const { column, key, value } of operations) {
    w.u8(value === undefined ? column : column | HAS_VALUE);
    w.uvar32(key.length);
    w.raw(key);
    if (value === undefined) continue;
    w.uvar32(value.length);
    w.raw(value);
  }
  return w.written().slice();
}

/** Calls `put` or `del` for each operation, with views of `bytes`. */
export function unpackOperations(
  bytes: Uint8Array,
  put: (column: number, key: Uint8Array, value: Uint8Array) => void,
  del: (column: number, key: Uint8Array) => void,
): void {
  const r = new ByteReader(bytes);
  while (r.pos < r.end) {
    const head = r.u8();
    const key = r.raw(r.uvar32());
    if ((head & HAS_VALUE) === 0) del(head, key);
    else put(head & ~HAS_VALUE, key, r.raw(r.uvar32()));
  }
}
