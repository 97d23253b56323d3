import { writeUtf8 } from "#utf8";

/** The bytes of a string of at most 31 bytes with its fixstr header, in a new array. */
export function fixstrOf(key: string): Uint8Array<ArrayBuffer> {
  const scratch = new Uint8Array(1 + key.length * 3);
  const end = writeUtf8(scratch, 1, key);
  scratch[0] = 0xa0 | (end - 1);
  return scratch.slice(0, end);
}
