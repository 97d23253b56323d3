import { JsonBuilder, type TextOptions } from "./json-builder.js";
import { JsonTokens } from "./json-tokens.js";

/**
 * Reads JSON without loss, where JSON.parse would lose something. Integers up to 64 bits are exact (a bigint where a
 * number is not enough). A number that neither type can hold is an error. Every error has its offset in the file. The
 * last duplicate of a key wins.
 *
 * Errors come in reading order: a text has the same first error, no matter how much of it is read in one part.
 */
export function readJsonText(bytes: Uint8Array, options: TextOptions): unknown {
  const { position, follow } = options;
  const builder = new JsonBuilder(options);
  const tokens = new JsonTokens(bytes, position, follow);
  for (let byte = tokens.peek(); byte >= 0; byte = tokens.peek()) {
    const at = tokens.position;
    builder.expect(byte, at);
    builder.token(byte, tokens.next(), at);
  }
  return builder.end(position + bytes.length);
}
