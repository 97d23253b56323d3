// Decodes the bytes with the options that a visitor has chosen.

import { codec, decodeContainer } from "@moonpack/pck";
import { decodeCooperatively, StreamDecoder } from "moonpack/stream";
import type { Format } from "./formats.ts";
import type { ReadSettings } from "./settings.ts";
import { jsonText } from "./typed-json.ts";

/** Length of a slice of the decoder. */
const SLICE_MS = 30;

/** Decodes bytes. Throws the decoder's errors. Protobuf has no value without its schema. */
export async function decodedValue(
  bytes: Uint8Array<ArrayBuffer>,
  format: Format,
  { sequence, maxDepth, decode }: ReadSettings,
  signal?: AbortSignal,
): Promise<unknown> {
  if (format === "protobuf") throw new Error("Protobuf has no names and no types without its schema.");
  if (format === "pck") {
    const { schema, values } = decodeContainer(bytes, { maxDepth });
    const messages = codec(schema);
    return values.map((value) => messages.toJSON(value as never));
  }
  const options = { ...decode, maxDepth };
  if (!sequence)
    return decodeCooperatively(bytes, { ...options, budget: SLICE_MS, ...(signal === undefined ? {} : { signal }) });
  const decoder = new StreamDecoder({ ...options, maxBufferedBytes: Infinity });
  decoder.push(bytes);
  const values = [...decoder];
  decoder.end();
  return values;
}

/** A value of some bytes as JSON. Without types, a value that JSON cannot hold is an error. */
export async function jsonOf(
  bytes: Uint8Array<ArrayBuffer>,
  format: Format,
  settings: ReadSettings,
  typed: boolean,
): Promise<string> {
  // Nothing is lost: timestamps keep their nanoseconds, and extensions without a definition are written.
  const exact = { ...settings.decode, timestamps: "timestamp", unknownExtensions: "keep" } as const;
  return jsonText(await decodedValue(bytes, format, { ...settings, decode: exact }), { typed, indent: 2 });
}
