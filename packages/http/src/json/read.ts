/** Reads JSON that comes from a request: the offset of an error is known, and no integer is rounded silently. */
import { DecodeError, utf8Length } from "moonpack/bytes";
import { checkJson } from "./scan.js";

const BYTE_ORDER_MARK = "\ufeff";
/** What a lenient decoder makes of bytes that are not UTF-8. */
const REPLACEMENT = "\ufffd";

/**
 * Decodes a body of JSON. Throws a `DecodeError`: `ERR_INVALID_UTF8` (also for an escape of a lone surrogate), `ERR_INVALID_BYTE`,
 * `ERR_TRUNCATED`, `ERR_TRAILING_BYTES`, `ERR_LIMIT_DEPTH` beyond 512 containers, `ERR_DUPLICATE_KEY`, `ERR_UNSAFE_INTEGER` for an
 * integer beyond 2^53, and `ERR_OUT_OF_RANGE` for a number that would become Infinity or 0. A number with a fraction or an exponent is
 * a float: the nearest double. A key `__proto__` is an ordinary key. A byte order mark before the value is ignored.
 *
 * Keys such as "1023" need no care: V8's `JSON.parse` makes no empty places of them, 209 bytes for `{"1023":0}`.
 */
export function readJson(bytes: Uint8Array): unknown {
  const text = textOf(bytes);
  const start = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  checkJson(text, start);
  return JSON.parse(text.slice(start));
}

/** The text, with its byte order mark: offsets count it. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new DecodeError("ERR_INVALID_UTF8", "JSON that is not well-formed UTF-8", firstInvalid(bytes), 0, cause);
  }
}

/** The offset of the first byte that is not UTF-8, where `TextDecoder` tells none. */
function firstInvalid(bytes: Uint8Array): number {
  const written = new TextEncoder().encode(REPLACEMENT);
  let at = 0;
  for (const char of new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)) {
    if (char === REPLACEMENT && written.some((byte, i) => byte !== bytes[at + i])) break;
    at += utf8Length(char);
  }
  return at;
}
