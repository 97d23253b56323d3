// Detects the form of a pasted text, and converts it to bytes.
import { encode } from "moonpack";
import { fromBase64 } from "../shared/base64.ts";
import { parseJson } from "../shared/exact-json.ts";
import { fromDump, looksLikeDump } from "./dump.ts";
import { fromHex } from "./hex.ts";
import { encodeLines, looksLikeLines } from "./json-lines.ts";
import {
  fromBuffer,
  fromDataUrl,
  fromDecimals,
  fromPython,
  looksLikeDecimals,
  PRINTED_START,
  type Printed,
} from "./printed-bytes.ts";

/** The forms of a text, with their names. */
export const TEXT_FORMS = {
  json: "JSON",
  ndjson: "lines of JSON",
  hex: "hexadecimal",
  base64: "base64",
  decimals: "decimals",
  dump: "xxd or hexdump -C",
  buffer: "Node's <Buffer ..>",
  python: "Python's b'..'",
  url: "a data URL",
} as const;

/** One of {@link TEXT_FORMS}. */
export type TextForm = keyof typeof TEXT_FORMS;

/** Bytes, and the form of the text. */
export interface TextBytes extends Printed {
  readonly form: TextForm;
}

/** The most bytes that a dump may unfold to: a `*` stands for any number. */
const MAX_DUMPED = 50 * 1024 * 1024;
/** Begins JSON that is neither hexadecimal nor base64. */
const JSON_START = /^(?:[[{"-]|true\b|false\b|null\b)/;

/**
 * Converts a text to bytes. JSON becomes MessagePack. Without `form`, the form is detected: a list such as `[1, 2]` is JSON, and digits
 * that could be both are hexadecimal. Throws an Error that says what is wrong.
 */
export function bytesOfText(text: string, form: TextForm | undefined): TextBytes {
  if (text.trim() === "") throw new Error("The input is empty: paste JSON or bytes in any form, or drop a file.");
  const detected = form ?? formOf(text.trim());
  return { form: detected, ...READERS[detected](text) };
}

/** The form that a trimmed text seems to have. */
function formOf(text: string): TextForm {
  if (PRINTED_START.buffer.test(text)) return "buffer";
  if (PRINTED_START.array.test(text) || looksLikeDecimals(text)) return "decimals";
  if (PRINTED_START.python.test(text)) return "python";
  if (PRINTED_START.url.test(text)) return "url";
  if (looksLikeDump(text)) return "dump";
  if (JSON_START.test(text)) return looksLikeLines(text) ? "ndjson" : "json";
  if ((fromHex(text)?.length ?? 0) > 0) return "hex";
  return (fromBase64(text)?.length ?? 0) > 0 ? "base64" : "json";
}

const READERS: Readonly<Record<TextForm, (text: string) => Printed>> = {
  json: (text) => ({ bytes: encode(parseJson(text)) }),
  ndjson: (text) => ({ bytes: encodeLines(text) }),
  hex: (text) => ({
    bytes:
      fromHex(text) ??
      refuse(
        "This is not hexadecimal: it needs an even number of digits 0-9 and a-f, with spaces, commas, 0x or \\x between them.",
      ),
  }),
  base64: (text) => ({
    bytes: fromBase64(text) ?? refuse("This is not base64: it has other characters, or a wrong length."),
  }),
  decimals: fromDecimals,
  dump: (text) => ({ bytes: fromDump(text, MAX_DUMPED) }),
  buffer: fromBuffer,
  python: fromPython,
  url(text) {
    if (!PRINTED_START.url.test(text.trim()))
      refuse("This is not a data URL: it begins with data:, and a comma stands before its content.");
    const { bytes, type } = fromDataUrl(text);
    return /[/+]json$/.test(type) ? { bytes: encode(parseJson(new TextDecoder().decode(bytes))) } : { bytes };
  },
};

function refuse(reason: string): never {
  throw new Error(reason);
}
