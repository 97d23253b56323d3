/**
 * Whole messages of a schema whose values take few bytes, for emitted code: as pack-message.ts has them, in memory that never
 * grows. So a page that has such messages only does not carry what makes memory grow.
 */
import { type BytesInput, viewOfBytes } from "./input.js";
import { checkTarget, checkWritten, copyInto, type ReadStruct, readMessage, type WriteStruct } from "./pack-message.js";
import { PackReader } from "./pack-reader.js";
import { encodeError, type PackWriter } from "./pack-writer.js";
import { copyOwned } from "./slab.js";

/** What a message may take beyond the most that is allowed, until it is refused: an index that is unknown, a byte left over. */
const UNKNOWN_BYTES = 5;

/** Memory for one message. */
class ShortWriter implements PackWriter {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly view: DataView<ArrayBuffer>;
  readonly maxDepth: number;
  /** Views of the first bytes, by their number. */
  readonly views: Uint8Array<ArrayBuffer>[] = [];
  pos = 0;

  constructor({ maxBytes, maxDepth }: ShortMessages) {
    // Text of so many characters may turn out to be no ASCII, which is known when it is written.
    this.bytes = new Uint8Array(3 * maxBytes + 8);
    this.view = new DataView(this.bytes.buffer);
    this.maxDepth = maxDepth;
  }

  /** There is room for all that fits the schema. */
  reserve(): void {}
}

/** The memory of such messages. Calls within calls get memory of their own. */
export class ShortMessages {
  /** The most that one takes. */
  readonly maxBytes: number;
  readonly maxDepth: number;
  /** The writer that is not in use; null while it is. */
  writer: ShortWriter | null = null;
  /** Messages are copied to its memory. */
  shortReader: PackReader | null = null;

  constructor(maxBytes: number, maxDepth: number) {
    this.maxBytes = maxBytes;
    this.maxDepth = maxDepth;
  }
}

/** Writes a message. Until the writer is asked for again, what it holds is there. */
function writeShort<T>(m: ShortMessages, struct: WriteStruct<T>, value: T): ShortWriter {
  let { writer } = m;
  // While it is at work a getter may write another message: that call finds no writer, and makes one.
  m.writer = null;
  // Who was given a view may have transferred it away, and so the memory.
  if (writer === null || writer.bytes.length === 0) writer = new ShortWriter(m);
  writer.pos = 0;
  try {
    struct(writer, value, 1);
  } catch (error) {
    throw encodeError(error);
  }
  checkWritten(writer);
  m.writer = writer;
  return writer;
}

/** The value's bytes in memory of their own. */
export function encodeShort<T>(m: ShortMessages, struct: WriteStruct<T>, value: T): Uint8Array<ArrayBuffer> {
  const { bytes, pos } = writeShort(m, struct, value);
  return copyOwned(bytes, 0, pos);
}

/**
 * Writes the bytes into `target` from `offset` on; answers the offset after them. `ERR_BUFFER_TOO_SMALL` when they do not fit:
 * the target is left as it was.
 */
export function encodeShortInto<T>(
  m: ShortMessages,
  struct: WriteStruct<T>,
  value: T,
  target: Uint8Array,
  offset: number,
): number {
  checkTarget(target, offset);
  return copyInto(writeShort(m, struct, value), target, offset);
}

/** The bytes as a view that is valid until the next call that writes. */
export function encodeShortShared<T>(m: ShortMessages, struct: WriteStruct<T>, value: T): Uint8Array<ArrayBuffer> {
  const { bytes, pos, views } = writeShort(m, struct, value);
  return (views[pos] ??= new Uint8Array(bytes.buffer, 0, pos));
}

/** How many bytes the value takes. It is written to find out. */
export function sizeOfShort<T>(m: ShortMessages, struct: WriteStruct<T>, value: T): number {
  return writeShort(m, struct, value).pos;
}

/** The value of a whole message. */
export function decodeShort<T>(m: ShortMessages, struct: ReadStruct<T>, input: BytesInput): T {
  const source = isThere(input) ? input : viewOfBytes(input);
  const reader = (m.shortReader ??= new PackReader(new Uint8Array(m.maxBytes + UNKNOWN_BYTES), 0, m.maxDepth));
  const { bytes } = reader;
  // The rest of what is longer than any message nobody gets to. And nobody else's code runs meanwhile.
  const size = Math.min(source.length, bytes.length);
  for (let i = 0; i < size; i++) bytes[i] = source[i]!;
  reader.pos = 0;
  reader.end = size;
  return readMessage(reader, struct);
}

/** Bytes whose memory is there: then there is a first one. isView asks for the internal slot, which nobody can fake. */
function isThere(input: BytesInput): input is Uint8Array {
  return ArrayBuffer.isView(input) && input instanceof Uint8Array && input[0] !== undefined;
}
