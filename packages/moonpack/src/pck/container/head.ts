/** What a container begins with: `PCK` and the version, the schema's document, its root's fingerprint. */
import { readUtf8 } from "#utf8";
import { DecodeError } from "../../bytes/errors.js";
import { frameTooLarge } from "../../bytes/frames.js";
import { truncated } from "../../bytes/input.js";
import { DEFAULT_MAX_FRAME_BYTES } from "../../bytes/limits.js";
import { ByteReader } from "../../bytes/reader.js";
import { ByteWriter } from "../../bytes/writer.js";
import type { SchemaDocument } from "../document.js";
import { fingerprint } from "../fingerprint.js";
import { jsonText } from "../json-text.js";
import { schemaError } from "../model/errors.js";
import type { AnySchema } from "../schema/schema.js";
import { fromDocument, toDocument } from "../schemas.js";

/** `PCK`, version 1. */
export const MAGIC: readonly number[] = [0x50, 0x43, 0x4b, 0x01];
/** Bytes of a varint, at most. */
const LONGEST_COUNT = 5;
/** Bytes of a fingerprint. */
export const FINGERPRINT_BYTES = 8;

/** What a container says of its values. */
export interface ContainerHead {
  /** The schema's document, as it stands in the container. */
  readonly document: SchemaDocument;
  /** The schema that it says. */
  readonly schema: AnySchema;
  /** The schema's fingerprint. */
  readonly fingerprint: Uint8Array<ArrayBuffer>;
  /** Bytes that all of this takes: where the first frame begins. */
  readonly size: number;
}

/** The head of a container of a schema's values. */
export function encodeHead(schema: AnySchema): Uint8Array<ArrayBuffer> {
  const document = new TextEncoder().encode(jsonText(toDocument(schema)));
  const writer = new ByteWriter(MAGIC.length + LONGEST_COUNT + document.length + FINGERPRINT_BYTES);
  writer.raw(Uint8Array.from(MAGIC));
  writer.uvar32(document.length);
  writer.raw(document);
  writer.raw(fingerprint(schema));
  return writer.written();
}

/**
 * Reads a head part by part. It yields how many bytes it wants to see, counted from the first, and is given that many; fewer
 * only when the input has no more: that is `ERR_TRUNCATED`. It asks for no byte more than the head has, and what is wrong is
 * found with the first byte that is.
 */
export function* headParts(): Generator<number, ContainerHead, Uint8Array<ArrayBuffer>> {
  for (let n = 1; n <= MAGIC.length; n++) {
    const start = yield n;
    if (start.length < n) throw truncated(0, MAGIC.length - start.length);
    if (start[n - 1] !== MAGIC[n - 1]) throw new DecodeError("ERR_INVALID_BYTE", "no PCK container of version 1", 0);
  }
  const at = MAGIC.length;
  let from = at;
  let bytes: Uint8Array<ArrayBuffer>;
  do {
    bytes = yield ++from;
  } while (bytes[from - 1]! >= 0x80 && from < at + LONGEST_COUNT);
  const length = new ByteReader(bytes, at).uvar32();
  if (length > DEFAULT_MAX_FRAME_BYTES) throw frameTooLarge(length, DEFAULT_MAX_FRAME_BYTES, at);
  const end = from + length;
  bytes = yield end;
  if (bytes.length < end) throw truncated(at, end - bytes.length);
  const document = parsed(bytes, at, from, end);
  const schema = fromDocument(document);
  const expected = fingerprint(schema);
  const size = end + FINGERPRINT_BYTES;
  bytes = yield size;
  if (bytes.length < size) throw truncated(end, size - bytes.length);
  if (!areEqual(bytes.subarray(end, size), expected)) {
    throw new DecodeError("ERR_FINGERPRINT", "the fingerprint is not that of the container's schema", end);
  }
  return { document, schema, fingerprint: expected, size };
}

/** The head of a container whose bytes are there. */
export function headOf(bytes: Uint8Array<ArrayBuffer>): ContainerHead {
  const parts = headParts();
  let part = parts.next();
  while (part.done !== true) part = parts.next(bytes);
  return part.value;
}

/** Are two fingerprints the same? */
export function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.every((byte, i) => byte === b[i]);
}

/** The document in `bytes[from..end)`, an item that begins at `at`. What is in it is looked at by `fromDocument`. */
function parsed(bytes: Uint8Array<ArrayBuffer>, at: number, from: number, end: number): SchemaDocument {
  const text = readUtf8(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.length), from, end);
  if (text === null) throw new DecodeError("ERR_INVALID_UTF8", "malformed UTF-8", at);
  try {
    return JSON.parse(text) as SchemaDocument;
  } catch (cause) {
    throw schemaError("", "a schema document is JSON", cause);
  }
}
