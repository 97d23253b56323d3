/** Base64 with its padding, the one form of each value (RFC 4648, section 4). */
const PIECE = 8192;

/** The text of bytes. */
export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  // In pieces: a call takes only so many arguments.
  for (let i = 0; i < bytes.length; i += PIECE) parts.push(String.fromCharCode(...bytes.subarray(i, i + PIECE)));
  return btoa(parts.join(""));
}

/** The bytes of text; null for any other text than `toBase64` gives. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  const characters = atob(text);
  const bytes = Uint8Array.from(characters, (character) => character.charCodeAt(0));
  return text.endsWith("=") && toBase64(bytes.slice(-2 + (bytes.length % 3 === 1 ? 1 : 0))) !== text.slice(-4)
    ? null
    : bytes;
}
