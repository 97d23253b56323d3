import type { Payload } from "../types.js";

/** The same memory as a Buffer, as users of a library that needs one must write it. */
export function asBuffer(payload: Payload): Buffer {
  const bytes = payload as Uint8Array;
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
