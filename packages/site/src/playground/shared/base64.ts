// Base64 both ways. Browsers learn Uint8Array.fromBase64 only now, so it is used where it exists.

/** Bytes that are encoded in one step: a multiple of three, below the number of arguments that a call may have. */
const PART = 3 * 8192;

/** The bytes of base64, with either alphabet, with or without padding. Undefined for other texts. Spaces do not count. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const plain = text.replace(/\s+/g, "").replace(/-/g, "+").replace(/_/g, "/").replace(/=+$/, "");
  if (plain.length % 4 === 1 || !/^[A-Za-z0-9+/]*$/.test(plain)) return undefined;
  const binary = atob(plain);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Bytes as base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += PART) text += btoa(String.fromCharCode(...bytes.subarray(at, at + PART)));
  return text;
}
