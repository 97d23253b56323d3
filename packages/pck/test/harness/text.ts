/**
 * The reference model of PCK, 3: text and base64 as bytes, without built-in functions (Unicode 16, table 3-7; RFC 4648,
 * section 4).
 */

/** Returns the UTF-8 of text without lone surrogates. */
export function utf8Of(text: string): number[] {
  const bytes: number[] = [];
  for (const character of text) {
    const c = character.codePointAt(0)!;
    if (c < 0x80) bytes.push(c);
    else if (c < 0x800) bytes.push(0xc0 | (c >> 6), 0x80 | (c & 63));
    else if (c < 0x10000) bytes.push(0xe0 | (c >> 12), 0x80 | ((c >> 6) & 63), 0x80 | (c & 63));
    else bytes.push(0xf0 | (c >> 18), 0x80 | ((c >> 12) & 63), 0x80 | ((c >> 6) & 63), 0x80 | (c & 63));
  }
  return bytes;
}

/** Range of the first byte, range of the second byte, number of bytes. Later bytes are 80 to bf. */
const ROWS = [
  [0x00, 0x7f, 0, 0, 1],
  [0xc2, 0xdf, 0x80, 0xbf, 2],
  [0xe0, 0xe0, 0xa0, 0xbf, 3],
  [0xe1, 0xec, 0x80, 0xbf, 3],
  [0xed, 0xed, 0x80, 0x9f, 3],
  [0xee, 0xef, 0x80, 0xbf, 3],
  [0xf0, 0xf0, 0x90, 0xbf, 4],
  [0xf1, 0xf3, 0x80, 0xbf, 4],
  [0xf4, 0xf4, 0x80, 0x8f, 4],
] as const;

/** Returns the text of UTF-8; null if it is malformed. */
export function textOf(bytes: readonly number[]): string | null {
  let text = "";
  for (let i = 0; i < bytes.length; ) {
    const first = bytes[i]!;
    const row = ROWS.find(([from, to]) => first >= from && first <= to);
    if (row === undefined) return null;
    const [, , from, to, size] = row;
    let code = size === 1 ? first : first & (0x7f >> size);
    for (let k = 1; k < size; k++) {
      const byte = bytes[i + k];
      if (byte === undefined || byte < (k === 1 ? from : 0x80) || byte > (k === 1 ? to : 0xbf)) return null;
      code = (code << 6) | (byte & 63);
    }
    text += String.fromCodePoint(code);
    i += size;
  }
  return text;
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

export function base64Of(bytes: readonly number[]): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const [a = 0, b = 0, c = 0] = bytes.slice(i, i + 3);
    const left = bytes.length - i;
    const word = (a << 16) | (b << 8) | c;
    text += DIGITS[word >> 18]! + DIGITS[(word >> 12) & 63]!;
    text += left > 1 ? DIGITS[(word >> 6) & 63]! : "=";
    text += left > 2 ? DIGITS[word & 63]! : "=";
  }
  return text;
}

export function fromBase64(text: string): number[] {
  const bytes: number[] = [];
  for (let i = 0; i < text.length; i += 4) {
    const digits = [...text.slice(i, i + 4)].filter((digit) => digit !== "=").map((digit) => DIGITS.indexOf(digit));
    const [a = 0, b = 0, c = 0, d = 0] = digits;
    const word = (a << 18) | (b << 12) | (c << 6) | d;
    bytes.push(...[word >> 16, (word >> 8) & 255, word & 255].slice(0, digits.length - 1));
  }
  return bytes;
}

export function hexOf(bytes: readonly number[]): string {
  return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
