/** Reads JSON that comes from a request: the offset of an error is known, and no number is rounded silently. */
import { DecodeError } from "moonpack/bytes";
import { checkJson } from "./scan.js";

/**
 * Decodes a body of JSON. Throws a `DecodeError`: `ERR_INVALID_UTF8`, `ERR_INVALID_BYTE`, `ERR_TRUNCATED`, `ERR_TRAILING_BYTES`,
 * `ERR_LIMIT_DEPTH` beyond 512 containers, `ERR_UNSAFE_INTEGER` for an integer beyond 2^53 and `ERR_OUT_OF_RANGE` for a number that
 * no double can hold. A key `__proto__` is an ordinary key.
 */
export function readJson(bytes: Uint8Array): unknown {
  const text = textOf(bytes);
  checkJson(text);
  return JSON.parse(text);
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new DecodeError("ERR_INVALID_UTF8", "JSON that is not well-formed UTF-8", 0, 0, cause);
  }
}
