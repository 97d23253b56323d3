// Hexadecimal both ways.

const DIGITS: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
/** Characters between bytes: spaces, commas, colons, and the prefixes of programming languages. */
const BETWEEN = /0x|\\x|[\s,:;]+/gi;
/** Bytes that are written in one step, so that a long text does not become a tree of parts. */
const PART = 4096;

/** The bytes of hexadecimal digits, such as `82 a1`, `0x82, 0xa1` or `\x82\xa1`. Undefined for other texts. */
export function fromHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  const digits = text.replace(BETWEEN, "");
  if (digits.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(digits)) return undefined;
  const bytes = new Uint8Array(digits.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = digitAt(digits, 2 * i) * 16 + digitAt(digits, 2 * i + 1);
  return bytes;
}

function digitAt(digits: string, at: number): number {
  const code = digits.charCodeAt(at);
  return code < 0x3a ? code - 0x30 : (code | 0x20) - 0x57;
}

/** A byte as two digits. */
export function hexByte(byte: number): string {
  return DIGITS[byte]!;
}

/** Bytes as digits, with a text between them. */
export function toHex(bytes: Uint8Array, between = " "): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += PART)
    parts.push(Array.from(bytes.subarray(at, at + PART), hexByte).join(between));
  return parts.join(between);
}
