// Guesses the content of a length-delimited Protobuf field, since its bytes do not name a type.

import { Reader } from "@moonpack/protobuf";
import { readUtf8 } from "moonpack/bytes";

/** A guess. */
export type LengthGuess =
  | { readonly kind: "empty" | "message" | "bytes" }
  | { readonly kind: "text"; readonly text: string }
  /** The first numbers. */
  | { readonly kind: "numbers"; readonly numbers: readonly string[] };

/** Control characters that text hardly has. A tab and ends of lines are common. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/;
const SHOWN_NUMBERS = 8;
/** Larger content is text or bytes to readers: packed lists of this size need a schema. */
const MAX_PACKED = 4096;

/**
 * Guesses: text without control characters is text, then comes a message whose fields end where the content does, then packed varints.
 * `mayNest` is false where nothing deeper is looked at. Takes linear time.
 */
export function guessLength(content: Uint8Array, mayNest: boolean): LengthGuess {
  if (content.length === 0) return { kind: "empty" };
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const text = readUtf8(content, view, 0, content.length);
  if (text !== null && !CONTROL.test(text)) return { kind: "text", text };
  if (mayNest && looksLikeMessage(content)) return { kind: "message" };
  if (text !== null && content.length > 3 && isMostlyText(text)) return { kind: "text", text };
  const numbers = content.length <= MAX_PACKED ? packedNumbers(content) : undefined;
  return numbers === undefined ? { kind: "bytes" } : { kind: "numbers", numbers };
}

/** True if all bytes are fields with numbers and wire types that exist. */
export function looksLikeMessage(content: Uint8Array): boolean {
  const reader = new Reader(content);
  try {
    while (reader.pos < content.length) {
      const tag = reader.uint32();
      if (tag >>> 3 === 0 || (tag & 7) === 4) return false;
      reader.skipType(tag & 7);
    }
    return reader.pos === content.length;
  } catch {
    return false;
  }
}

function isMostlyText(text: string): boolean {
  let odd = 0;
  for (const character of text) if (CONTROL.test(character)) odd++;
  return odd * 16 <= text.length;
}

function packedNumbers(content: Uint8Array): readonly string[] | undefined {
  if (content.at(-1)! >= 0x80) return undefined;
  const reader = new Reader(content, { int64: "bigint" });
  const numbers: string[] = [];
  try {
    while (reader.pos < content.length) numbers.push(String(reader.uint64()));
  } catch {
    return undefined;
  }
  return numbers.length <= SHOWN_NUMBERS ? numbers : [...numbers.slice(0, SHOWN_NUMBERS), ".."];
}
