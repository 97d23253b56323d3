/**
 * Encodes and decodes messages of a schema whose messages are all short, for emitted code: as message.ts, in memory of
 * a fixed size. A page that has only such messages does not carry the code that makes memory grow.
 */
import { type BytesInput, copyOwned, viewOfBytes } from "moonpack/bytes";
import { checkTarget, copyInto, type ReadStruct, readMessage, type WriteStruct, writeMessage } from "./message.js";
import { PackReader } from "./reader.js";
import type { PackWriter } from "./writer.js";

/**
 * Bytes that invalid input may take beyond the longest message before it is rejected: an unknown index, a trailing
 * byte.
 */
const UNKNOWN_BYTES = 5;

/** Memory for one message. */
class ShortWriter implements PackWriter {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly view: DataView<ArrayBuffer>;
  readonly maxDepth: number;
  /** Views of the first bytes, by their length. */
  readonly views: Uint8Array<ArrayBuffer>[] = [];
  pos = 0;

  constructor({ maxBytes, maxDepth }: ShortPackMessages) {
    // An ascii field is written as UTF-8, of up to 3 bytes a character, before it is checked.
    this.bytes = new Uint8Array(3 * maxBytes + 8);
    this.view = new DataView(this.bytes.buffer);
    this.maxDepth = maxDepth;
  }

  /** Does nothing: the memory holds every valid message. */
  reserve(): void {}
}

/**
 * Memory for encoding and decoding short messages one after the other. A nested call (from a getter) allocates its own.
 */
export class ShortPackMessages {
  /** Bytes of the longest message. */
  readonly maxBytes: number;
  readonly maxDepth: number;
  /** @internal The idle writer; null while a call uses it. */
  writer: ShortWriter | null = null;
  /** Reader whose memory messages are copied to; null until it is needed. */
  shortReader: PackReader | null = null;

  constructor(maxBytes: number, maxDepth: number) {
    this.maxBytes = maxBytes;
    this.maxDepth = maxDepth;
  }
}

/** Writes one message. The returned writer is idle again: read its bytes before anything else is written. */
function writeShort<T>(m: ShortPackMessages, struct: WriteStruct<T>, value: T): ShortWriter {
  let { writer } = m;
  m.writer = null;
  // A caller may have transferred a shared view, which detaches this buffer.
  if (writer === null || writer.bytes.length === 0) writer = new ShortWriter(m);
  writer.pos = 0;
  writeMessage(writer, struct, value);
  m.writer = writer;
  return writer;
}

/** Returns the bytes of a value; the result owns its buffer. */
export function packShort<T>(m: ShortPackMessages, struct: WriteStruct<T>, value: T): Uint8Array<ArrayBuffer> {
  const { bytes, pos } = writeShort(m, struct, value);
  return copyOwned(bytes, 0, pos);
}

/**
 * Writes the bytes of a value into `target` from `offset` on and returns the offset after them. Throws
 * `ERR_BUFFER_TOO_SMALL` when they do not fit; the target is unchanged then.
 */
export function packShortInto<T>(
  m: ShortPackMessages,
  struct: WriteStruct<T>,
  value: T,
  target: Uint8Array,
  offset: number,
): number {
  checkTarget(target, offset);
  return copyInto(writeShort(m, struct, value), target, offset);
}

/** Returns the bytes of a value as a view that is valid until the next call that writes. */
export function packShortShared<T>(m: ShortPackMessages, struct: WriteStruct<T>, value: T): Uint8Array<ArrayBuffer> {
  const { bytes, pos, views } = writeShort(m, struct, value);
  return (views[pos] ??= new Uint8Array(bytes.buffer, 0, pos));
}

/** Returns how many bytes a value takes, by writing it. */
export function packedShortSize<T>(m: ShortPackMessages, struct: WriteStruct<T>, value: T): number {
  return writeShort(m, struct, value).pos;
}

/** Decodes a whole message. */
export function unpackShort<T>(m: ShortPackMessages, struct: ReadStruct<T>, input: BytesInput): T {
  const source = isAttached(input) ? input : viewOfBytes(input);
  const reader = (m.shortReader ??= new PackReader(new Uint8Array(m.maxBytes + UNKNOWN_BYTES), 0, m.maxDepth));
  const { bytes } = reader;
  // Bytes past the longest possible message are never read. No user code runs in this loop.
  const size = Math.min(source.length, bytes.length);
  for (let i = 0; i < size; i++) bytes[i] = source[i]!;
  reader.pos = 0;
  reader.end = size;
  return readMessage(reader, struct);
}

/**
 * True for a Uint8Array that is not empty and not detached. `isView` checks the internal slot, which cannot be faked.
 */
function isAttached(input: BytesInput): input is Uint8Array {
  return ArrayBuffer.isView(input) && input instanceof Uint8Array && input[0] !== undefined;
}
