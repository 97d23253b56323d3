import { readJsonText } from "./jsonExact.js";
import { JsonScanner } from "./jsonScanner.js";

const MAX_DEPTH = 512;

/** Where a text is, and how deep it may be nested. */
export interface WholeText {
  /** Position of its first byte in the file. Default 0: a byte order mark may stand there. */
  readonly position?: number;
  readonly maxDepth?: number;
}

/**
 * A whole JSON text as plain objects and arrays, nothing lost: integers beyond 2^53 are bigint, errors have their offset.
 * Text that JSON.parse reads without loss goes through it.
 */
export function parseWholeJson(bytes: Uint8Array, { position = 0, maxDepth = MAX_DEPTH }: WholeText = {}): unknown {
  const mark = position === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const text = bytes.subarray(mark);
  const scanner = new JsonScanner({ typed: false, maxDepth });
  scanner.scan(text, 0, text.length, true);
  const shape = { kind: "value", typed: false, follow: "", objects: "object" } as const;
  const options = { ...shape, position: position + mark, maxDepth };
  if (scanner.careful) return readJsonText(text, options);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text));
  } catch {
    return readJsonText(text, options);
  }
}
