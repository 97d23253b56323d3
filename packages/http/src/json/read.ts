/** Reads JSON of requests: errors have an offset, and integers are not rounded. */
import { DecodeError, utf8Length } from "moonpack/bytes";
import { checkJson } from "./scan.js";

const BYTE_ORDER_MARK = "\ufeff";
/** The character by which a lenient decoder replaces bytes that are not UTF-8. */
const REPLACEMENT = "\ufffd";

/**
 * Decodes a body of JSON. Throws a `DecodeError`: `ERR_INVALID_UTF8` (also for an escape of a lone surrogate), `ERR_INVALID_BYTE`,
 * `ERR_TRUNCATED`, `ERR_TRAILING_BYTES`, `ERR_LIMIT_DEPTH` beyond 512 containers, `ERR_DUPLICATE_KEY`, `ERR_UNSAFE_INTEGER` for an
 * integer beyond 2^53, and `ERR_OUT_OF_RANGE` for a number that would become Infinity or 0. A number with a fraction or an exponent is
 * a float: the nearest double. A key `__proto__` is an ordinary key. A byte order mark before the value is ignored.
 *
 * V8's `JSON.parse` allocates no empty elements for keys such as "1023": `{"1023":0}` takes 209 bytes.
 */
export function readJson(bytes: Uint8Array): unknown {
  const text = textOf(bytes);
  const start = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  checkJson(text, start);
  return JSON.parse(text.slice(start));
}

/** Returns the text with its byte order mark, which counts in offsets. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new DecodeError("ERR_INVALID_UTF8", "JSON that is not well-formed UTF-8", firstInvalid(bytes), 0, cause);
  }
}

/** Returns the offset of the first byte that is not UTF-8; the error of `TextDecoder` has none. */
function firstInvalid(bytes: Uint8Array): number {
  const written = new TextEncoder().encode(REPLACEMENT);
  let at = 0;
  for (const char of new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)) {
    if (char === REPLACEMENT && written.some((byte, i) => byte !== bytes[at + i])) break;
    at += utf8Length(char);
  }
  return at;
}
