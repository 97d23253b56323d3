/** The MessagePack bytes of keys, and the hashes that the reader computes from these bytes. */
import { writeUtf8 } from "#platform";
import { hashOfEnds, hashOfKey, hashOfList } from "../key-table.js";

/** The bytes of a string of at most 31 bytes with its fixstr header, in a new array. */
export function fixstrOf(key: string): Uint8Array<ArrayBuffer> {
  const scratch = new Uint8Array(1 + key.length * 3);
  const end = writeUtf8(scratch, 1, key);
  scratch[0] = 0xa0 | (end - 1);
  return scratch.slice(0, end);
}

/** For each key the hash of the list that ends with it, as `MessageReader.fill` computes it. */
export function hashesOfKeys(keys: readonly string[]): Int32Array {
  let hash = keys.length;
  return Int32Array.from(keys, (key) => (hash = hashOfList(hash, hashOfKey(key))));
}

/** The hash of the first key, see {@link hashOfEnds}. */
export function hashOfFirstKey(keys: readonly string[]): number {
  const bytes = fixstrOf(keys[0]!);
  const words = new Uint8Array(Math.max(bytes.length, 4));
  words.set(bytes);
  return hashOfEnds(new DataView(words.buffer), 0, words.length);
}
