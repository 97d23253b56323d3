/** Base64 with padding (RFC 4648, section 4). Each value has exactly one valid text. */
const PIECE = 8192;

/** Returns the base64 text of bytes. */
export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  // In pieces: the number of arguments of a call is limited.
  for (let i = 0; i < bytes.length; i += PIECE) parts.push(String.fromCharCode(...bytes.subarray(i, i + PIECE)));
  return btoa(parts.join(""));
}

/** Returns the bytes of base64 text; null for text that `toBase64` would not return. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  const characters = atob(text);
  // By a loop: Uint8Array.from makes a list of all characters first, 28 bytes each.
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return text.endsWith("=") && toBase64(bytes.slice(-2 + (bytes.length % 3 === 1 ? 1 : 0))) !== text.slice(-4)
    ? null
    : bytes;
}
