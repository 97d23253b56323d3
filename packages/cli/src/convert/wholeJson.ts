import { readJsonText } from "./jsonExact.js";
import { JsonScanner } from "./jsonScanner.js";

const MAX_DEPTH = 512;

/**
 * A whole JSON text as plain objects and arrays, nothing lost: integers beyond 2^53 are bigint, errors have their offset.
 * Text that JSON.parse reads without loss goes through it.
 */
export function parseWholeJson(bytes: Uint8Array): unknown {
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const text = bytes.subarray(mark);
  const scanner = new JsonScanner({ typed: false, maxDepth: MAX_DEPTH });
  scanner.scan(text, 0, text.length, true);
  const shape = { kind: "value", typed: false, follow: "", objects: "object" } as const;
  const options = { ...shape, position: mark, maxDepth: MAX_DEPTH };
  if (scanner.careful) return readJsonText(text, options);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text));
  } catch {
    return readJsonText(text, options);
  }
}
