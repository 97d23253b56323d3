import type { Payload } from "../types.js";

/** The same memory as a Buffer, as a user of a library that wants one has to write. */
export function asBuffer(payload: Payload): Buffer {
  const bytes = payload as Uint8Array;
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
