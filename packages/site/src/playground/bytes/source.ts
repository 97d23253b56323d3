// An input of the playground, and its bytes.
import { encode } from "moonpack";
import { MoonpackError } from "moonpack/bytes";
import { parseJson } from "../shared/exact-json.ts";
import { encodeLines } from "./json-lines.ts";
import { beginsAsJson, textOf } from "./text-encoding.ts";
import { bytesOfText, type TextForm } from "./text-input.ts";

/** The largest file that is read. */
export const MAX_BYTES: number = 50 * 1024 * 1024;
/** The longest text: hexadecimal digits with spaces are three times as long as their bytes. */
const MAX_CHARACTERS = 3 * MAX_BYTES;

/** A text, or a file. Without `form`, the form is detected. */
export type Source =
  | { readonly kind: "text"; readonly text: string; readonly form?: TextForm }
  | { readonly kind: "file"; readonly file: File };

/** Bytes and their source. */
export interface SourceBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Their form before they were converted to bytes of a format. */
  readonly from: TextForm | "bytes";
  /** The number of further bytes that the program which printed them has left out. */
  readonly missing?: number | "some";
}

const TEXTS = /\.(?:txt|hex|b64|base64)$/i;

/** Says what to do with a file that is too large; undefined for other files. */
export function tooLarge({ name, size }: { readonly name: string; readonly size: number }): string | undefined {
  if (size <= MAX_BYTES) return undefined;
  const quoted = /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
  return (
    `This file has ${Math.ceil(size / 1024 / 1024).toLocaleString("en")} MB; a page reads up to ${MAX_BYTES / 1024 / 1024} MB. The command line reads any size: ` +
    `npx @moonpack/cli inspect ${quoted} shows its items, npx @moonpack/cli convert ${quoted} its values.`
  );
}

/** Reads a source. Throws an Error that says why it cannot be read. */
export async function bytesOf(source: Source): Promise<SourceBytes> {
  if (source.kind === "text") {
    if (source.text.length > MAX_CHARACTERS)
      throw new Error(tooLarge({ name: "data.bin", size: Math.floor(source.text.length / 2) }));
    const { form, ...read } = bytesOfText(source.text, source.form);
    return { ...read, from: form };
  }
  const { file } = source;
  const excuse = tooLarge(file);
  if (excuse !== undefined) throw new Error(excuse);
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes.length === 0) throw new MoonpackError("ERR_TRUNCATED", "the file is empty");
  if (/\.json$/i.test(file.name)) return { bytes: encode(parseJson(textOf(bytes))), from: "json" };
  if (/\.(?:ndjson|jsonl)$/i.test(file.name)) return { bytes: encodeLines(textOf(bytes)), from: "ndjson" };
  if (TEXTS.test(file.name)) {
    const { form, ...read } = bytesOfText(textOf(bytes), undefined);
    return { ...read, from: form };
  }
  const json = jsonIn(bytes);
  return json === undefined ? { bytes, from: "bytes" } : { bytes: encode(json), from: "json" };
}

/** The value of bytes that are an object or array of JSON. */
function jsonIn(bytes: Uint8Array): unknown {
  if (!beginsAsJson(bytes)) return undefined;
  try {
    return parseJson(textOf(bytes));
  } catch {
    return undefined;
  }
}
