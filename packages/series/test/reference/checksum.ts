/** zlib's CRC-32, as the four bytes that the format stores. */
import { crc32 } from "node:zlib";
import { type Bytes, fixed } from "./bytes.ts";

export function checksum(bytes: Bytes): number[] {
  return fixed(crc32(Uint8Array.from(bytes)), 4);
}

/** Throws unless `stored` is the checksum of these bytes. */
export function verify(bytes: Bytes, stored: Bytes): void {
  if (String(checksum(bytes)) !== String(stored)) throw new Error("the checksum is wrong");
}
