import { badInput } from "../shared/failure.js";

const QUOTE = 0x22;

/**
 * Returns the error of a text that ends before `expected`. `follow` is the character after the text; empty at the end of the
 * file.
 */
export function unexpectedEnd(follow: string, expected: string, at: number): Error {
  if (follow !== "") return unexpectedByte(follow.charCodeAt(0), expected, at);
  return badInput("ERR_TRUNCATED", `expected ${expected}, but the text ends`, at);
}

/** Returns the error of a byte that appears in the place of `expected`. */
export function unexpectedByte(byte: number, expected: string, at: number): Error {
  return badInput("ERR_INVALID_BYTE", `expected ${expected}, found ${byteName(byte)}`, at);
}

/** How errors show a byte: the character in quotes, or `the byte 0x0a`. */
export function byteName(byte: number): string {
  if (byte > 0x20 && byte < 0x7f) return byte === QUOTE ? `'"'` : `"${String.fromCharCode(byte)}"`;
  return `the byte 0x${byte.toString(16).padStart(2, "0")}`;
}

/** Returns the error of a second value, or of any other text after the value. */
export function trailingText(at: number): Error {
  return badInput("ERR_TRAILING_BYTES", "there is more text after the value", at);
}

/** Returns the error of an opening bracket that exceeds the depth limit. */
export function tooDeep(at: number): Error {
  return badInput("ERR_LIMIT_DEPTH", "arrays and objects are nested deeper than the limit", at);
}
