import { readJsonText } from "./json-exact.js";
import { JsonScanner } from "./json-scanner.js";

const MAX_DEPTH = 512;

/**
 * Parses a whole JSON text to plain objects and arrays without loss: integers beyond 2^53 become bigints, and errors have
 * their offset. Uses JSON.parse where it loses nothing. `position` is the offset of the first byte in the file: at 0 a byte order mark
 * is allowed.
 */
export function parseWholeJson(bytes: Uint8Array, position = 0, maxDepth = MAX_DEPTH): unknown {
  const mark = position === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const text = bytes.subarray(mark);
  const scanner = new JsonScanner({ typed: false, maxDepth });
  scanner.scan(text, 0, text.length, true);
  const shape = { kind: "value", typed: false, follow: "", objects: "object" } as const;
  const options = { ...shape, position: position + mark, maxDepth };
  if (scanner.needsExactReader) return readJsonText(text, options);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text));
  } catch {
    return readJsonText(text, options);
  }
}
