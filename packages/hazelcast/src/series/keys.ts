/** Keys of entries: the bytes as lower-case hex, which sorts like the bytes. */

/** Returns a key as hex. */
export function textOf(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.length).toString("hex");
}

/** Returns the key for its hex text. */
export function keyOf(text: string): Uint8Array {
  return Buffer.from(text, "hex");
}
