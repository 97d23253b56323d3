/** Ids of traces and spans: lower-case hexadecimal digits, never all zero. Flat texts, as UUIDs are (see uuid-text.ts). */
import { hexDigits } from "./digits.js";
import { takenEnd, takeRandom } from "./pool.js";

/**
 * Returns a new trace id: 16 random bytes as 32 hexadecimal digits.
 *
 * @example
 * formatTraceparent({ traceId: newTraceId(), spanId: newSpanId(), flags: 3 });
 */
export function newTraceId(): string {
  const bytes = takeRandom(16);
  const start = takenEnd() - 16;
  if (isZero(bytes, start) && isZero(bytes, start + 8)) return newTraceId();
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
    digits[2 * bytes[start + 4]!]!,
    digits[2 * bytes[start + 4]! + 1]!,
    digits[2 * bytes[start + 5]!]!,
    digits[2 * bytes[start + 5]! + 1]!,
    digits[2 * bytes[start + 6]!]!,
    digits[2 * bytes[start + 6]! + 1]!,
    digits[2 * bytes[start + 7]!]!,
    digits[2 * bytes[start + 7]! + 1]!,
    digits[2 * bytes[start + 8]!]!,
    digits[2 * bytes[start + 8]! + 1]!,
    digits[2 * bytes[start + 9]!]!,
    digits[2 * bytes[start + 9]! + 1]!,
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

/** Returns a new span id: 8 random bytes as 16 hexadecimal digits. */
export function newSpanId(): string {
  const bytes = takeRandom(8);
  const start = takenEnd() - 8;
  if (isZero(bytes, start)) return newSpanId();
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
    digits[2 * bytes[start + 4]!]!,
    digits[2 * bytes[start + 4]! + 1]!,
    digits[2 * bytes[start + 5]!]!,
    digits[2 * bytes[start + 5]! + 1]!,
    digits[2 * bytes[start + 6]!]!,
    digits[2 * bytes[start + 6]! + 1]!,
    digits[2 * bytes[start + 7]!]!,
    digits[2 * bytes[start + 7]! + 1]!,
  );
}

/** True if 8 bytes are 0. */
function isZero(bytes: Uint8Array, start: number): boolean {
  for (let i = start; i < start + 8; i++) if (bytes[i] !== 0) return false;
  return true;
}
