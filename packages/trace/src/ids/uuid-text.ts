/** The text of a UUID. */
import { hexDigits } from "./digits.js";

/** The character code of `-`. */
const DASH = 45;

/**
 * Returns 16 bytes as the text of a UUID. From one call it is a flat string: 36 characters and a header of 12 to 16 bytes. Concatenated
 * parts would be a rope, which takes 480 bytes until it is read.
 */
export function uuidText(bytes: Uint8Array, start: number): string {
  const digits = hexDigits();
  return String.fromCharCode(
    digits[2 * bytes[start]!]!,
    digits[2 * bytes[start]! + 1]!,
    digits[2 * bytes[start + 1]!]!,
    digits[2 * bytes[start + 1]! + 1]!,
    digits[2 * bytes[start + 2]!]!,
    digits[2 * bytes[start + 2]! + 1]!,
    digits[2 * bytes[start + 3]!]!,
    digits[2 * bytes[start + 3]! + 1]!,
    DASH,
    digits[2 * bytes[start + 4]!]!,
    digits[2 * bytes[start + 4]! + 1]!,
    digits[2 * bytes[start + 5]!]!,
    digits[2 * bytes[start + 5]! + 1]!,
    DASH,
    digits[2 * bytes[start + 6]!]!,
    digits[2 * bytes[start + 6]! + 1]!,
    digits[2 * bytes[start + 7]!]!,
    digits[2 * bytes[start + 7]! + 1]!,
    DASH,
    digits[2 * bytes[start + 8]!]!,
    digits[2 * bytes[start + 8]! + 1]!,
    digits[2 * bytes[start + 9]!]!,
    digits[2 * bytes[start + 9]! + 1]!,
    DASH,
    digits[2 * bytes[start + 10]!]!,
    digits[2 * bytes[start + 10]! + 1]!,
    digits[2 * bytes[start + 11]!]!,
    digits[2 * bytes[start + 11]! + 1]!,
    digits[2 * bytes[start + 12]!]!,
    digits[2 * bytes[start + 12]! + 1]!,
    digits[2 * bytes[start + 13]!]!,
    digits[2 * bytes[start + 13]! + 1]!,
    digits[2 * bytes[start + 14]!]!,
    digits[2 * bytes[start + 14]! + 1]!,
    digits[2 * bytes[start + 15]!]!,
    digits[2 * bytes[start + 15]! + 1]!,
  );
}
