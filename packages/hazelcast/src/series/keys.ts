/** Keys of entries: lower-case hex of the bytes. Texts of hex are ordered as the bytes are. */

/** The text of a key. */
export function textOf(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.length).toString("hex");
}

/** The key of a text. */
export function keyOf(text: string): Uint8Array {
  return Buffer.from(text, "hex");
}
