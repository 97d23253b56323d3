// Detects the form of a pasted text: JSON, hexadecimal digits or base64.
import { encode } from "moonpack";
import { parseJson } from "../shared/exact-json.ts";
import { fromBase64 } from "./base64.ts";
import { fromHex } from "./hex.ts";

/** The forms of a text. */
export const TEXT_FORMS = ["json", "hex", "base64"] as const;

/** One of {@link TEXT_FORMS}. */
export type TextForm = (typeof TEXT_FORMS)[number];

/** Bytes, and the form of the text. */
export interface TextBytes {
  readonly form: TextForm;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Begins JSON that is neither hexadecimal nor base64. */
const JSON_START = /^\s*(?:[[{"-]|true\b|false\b|null\b)/;

/**
 * Converts a text to bytes. JSON becomes MessagePack. Without `form`, the form is detected: brackets and quotes begin JSON, an even
 * number of hexadecimal digits are bytes, other texts are base64. Throws an Error that says what is wrong.
 */
export function bytesOfText(text: string, form: TextForm | undefined): TextBytes {
  if (text.trim() === "")
    throw new Error("The input is empty: paste JSON, hexadecimal digits or base64, or drop a file.");
  if (form !== undefined) return { form, bytes: bytesAs(text, form) };
  if (JSON_START.test(text)) return { form: "json", bytes: bytesAs(text, "json") };
  for (const [name, read] of [["hex", fromHex] as const, ["base64", fromBase64] as const]) {
    const bytes = read(text);
    if (bytes !== undefined && bytes.length > 0) return { form: name, bytes };
  }
  return { form: "json", bytes: bytesAs(text, "json") };
}

function bytesAs(text: string, form: TextForm): Uint8Array<ArrayBuffer> {
  if (form === "json") return encode(parseJson(text));
  const bytes = form === "hex" ? fromHex(text) : fromBase64(text);
  if (bytes !== undefined) return bytes;
  throw new Error(
    form === "hex"
      ? "This is not hexadecimal: it needs an even number of digits 0-9 and a-f, with spaces, commas, 0x or \\x between them."
      : "This is not base64: it has other characters, or a wrong length.",
  );
}
