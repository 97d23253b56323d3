import { invalidArgument } from "../bytes/errors.js";
import { type BytesInput, toBytes } from "../bytes/input.js";
import { skipItems } from "./skip.js";
import { decodingFor } from "./source.js";

/**
 * Returns the end of the item at `offset`, without reading it. Checks its structure: first bytes, declared bytes and items, at most 512
 * levels. Errors as in `decode`.
 *
 * @example
 * const second = skip(bytes, 0); // where the message after the first one begins
 */
export function skip(input: BytesInput, offset = 0): number {
  const bytes = toBytes(input);
  if (!Number.isInteger(offset) || offset < 0 || offset > bytes.length)
    throw invalidArgument(`offset must be an integer from 0 to ${bytes.length}`);
  return skipItems(bytes, offset, bytes.length, 1, 0, decodingFor(undefined).stack);
}
