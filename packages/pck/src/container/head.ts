/** The head of a container: `PCK` and the version, the schema document, the fingerprint of its root. */
import {
  ByteReader,
  ByteWriter,
  DEFAULT_MAX_FRAME_BYTES,
  DecodeError,
  frameTooLarge,
  readUtf8,
  truncated,
} from "moonpack/bytes";
import { parseDocument, type SchemaDocument } from "../document/document.js";
import { fingerprint } from "../document/fingerprint.js";
import { fromDocument, toDocument } from "../document/schemas.js";
import { jsonText } from "../json/text.js";
import type { AnySchema } from "../schema/schema.js";

/** The first bytes of every container: `PCK` and the version, 1. */
export const MAGIC: readonly number[] = [0x50, 0x43, 0x4b, 0x01];
/** Most bytes of a uint32 varint. */
const MAX_COUNT_BYTES = 5;
/** Bytes of a fingerprint. */
export const FINGERPRINT_BYTES = 8;

/** The head of a container: the schema of its values. */
export interface ContainerHead {
  /** The schema document, as the container has it. */
  readonly document: SchemaDocument;
  /** The schema of the document. */
  readonly schema: AnySchema;
  /** The schema's fingerprint. */
  readonly fingerprint: Uint8Array<ArrayBuffer>;
  /** Bytes of the head: the first frame begins here. */
  readonly size: number;
}

/** Returns the head of a container with values of this schema. */
export function encodeHead(schema: AnySchema): Uint8Array<ArrayBuffer> {
  const document = new TextEncoder().encode(jsonText(toDocument(schema)));
  const writer = new ByteWriter(MAGIC.length + MAX_COUNT_BYTES + document.length + FINGERPRINT_BYTES);
  writer.raw(Uint8Array.from(MAGIC));
  writer.uvar32(document.length);
  writer.raw(document);
  writer.raw(fingerprint(schema));
  return writer.written();
}

/**
 * Reads a head in steps. The generator yields how many bytes it needs, counted from the start of the container, and
 * receives them. It receives fewer only at the end of the input, which is `ERR_TRUNCATED`. It never requests bytes past
 * the head, and it throws at the first byte that is wrong.
 */
export function* headParts(): Generator<number, ContainerHead, Uint8Array<ArrayBuffer>> {
  for (let n = 1; n <= MAGIC.length; n++) {
    const start = yield n;
    if (start.length < n) throw truncated(0, MAGIC.length - start.length);
    if (start[n - 1] !== MAGIC[n - 1]) throw new DecodeError("ERR_INVALID_BYTE", "not a PCK container of version 1", 0);
  }
  const at = MAGIC.length;
  let from = at;
  let bytes: Uint8Array<ArrayBuffer>;
  do {
    bytes = yield ++from;
  } while (bytes[from - 1]! >= 0x80 && from < at + MAX_COUNT_BYTES);
  const length = new ByteReader(bytes, at).uvar32();
  if (length > DEFAULT_MAX_FRAME_BYTES) throw frameTooLarge(length, DEFAULT_MAX_FRAME_BYTES, at);
  const end = from + length;
  bytes = yield end;
  if (bytes.length < end) throw truncated(at, end - bytes.length);
  const document = parseDocument(documentText(bytes, at, from, end));
  const schema = fromDocument(document);
  const expected = fingerprint(schema);
  const size = end + FINGERPRINT_BYTES;
  bytes = yield size;
  if (bytes.length < size) throw truncated(end, size - bytes.length);
  if (!areEqual(bytes.subarray(end, size), expected)) {
    throw new DecodeError("ERR_FINGERPRINT", "the fingerprint does not match the container's schema", end);
  }
  return Object.freeze({ document, schema, fingerprint: expected, size }); // ContainerReader relies on it
}

/** Returns the head of a complete container. */
export function headOf(bytes: Uint8Array<ArrayBuffer>): ContainerHead {
  const parts = headParts();
  let part = parts.next();
  while (part.done !== true) part = parts.next(bytes);
  return part.value;
}

/** True if two fingerprints are equal. */
export function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.every((byte, i) => byte === b[i]);
}

/** Returns the text in `bytes[from..end)`. Throws `ERR_INVALID_UTF8` at `at`, the start of the item. */
function documentText(bytes: Uint8Array<ArrayBuffer>, at: number, from: number, end: number): string {
  const text = readUtf8(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.length), from, end);
  if (text === null) throw new DecodeError("ERR_INVALID_UTF8", "malformed UTF-8", at);
  return text;
}
