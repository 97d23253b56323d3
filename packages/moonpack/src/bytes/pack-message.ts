/** Whole messages of one schema: what is done around the functions that write and read a struct, for codecs and emitted code. */
import { invalidArgument, MoonpackError } from "./errors.js";
import { type BytesInput, lengthOf, toBytes, viewOfBytes } from "./input.js";
import { isStackOverflow } from "./limits.js";
import { expectEnd, PackReader, refused } from "./pack-reader.js";
import { encodeError, GrowingPackWriter, type PackWriter } from "./pack-writer.js";
import { SharedViews } from "./shared-views.js";
import { copyOwned, Slab } from "./slab.js";

const FIRST_BYTES = 1024;
/** Up to here a copy takes less than a view over the bytes, which text and lists are read through (3 KB: 90 ns and 230). */
const SHORT_BYTES = 4096;
/** Fewer bytes are copied by a loop: a call of `set` takes 25 ns. */
const LOOPED_BYTES = 16;

/** Writes a struct that lies at `depth`; the root's is 1. */
export type WriteStruct<T> = (w: PackWriter, value: T, depth: number) => void;
/** Reads one. */
export type ReadStruct<T> = (r: PackReader, depth: number) => T;

/** What messages are read with. */
export interface ReadMessages {
  readonly maxDepth: number;
  /** Short messages are copied to its memory. */
  reader: PackReader | null;
}

/** The memory of messages that are written and read one after the other. Calls within calls get memory of their own. */
export class Messages implements ReadMessages {
  readonly maxDepth: number;
  /** The writer that is not in use; null while it is. */
  writer: GrowingPackWriter | null = null;
  /** What short results are cut from. */
  slab: Slab | null = null;
  views: SharedViews | null = null;
  reader: PackReader | null = null;

  constructor(maxDepth: number) {
    this.maxDepth = maxDepth;
  }
}

/** Writes a message; the writer is given back by the caller, once it has what it wants. */
function write<T>(m: Messages, struct: WriteStruct<T>, value: T): GrowingPackWriter {
  const writer = m.writer ?? new GrowingPackWriter(FIRST_BYTES, m.maxDepth);
  // While it is at work a getter may write another message: that call finds no writer, and makes one.
  m.writer = null;
  writer.reset();
  try {
    struct(writer, value, 1);
  } catch (error) {
    throw encodeError(error);
  }
  checkWritten(writer);
  return writer;
}

/**
 * The value's bytes in memory that nobody writes to again. Those of 65 bytes to 2 KB are a cut from an 8 KB slab, as Node's
 * Buffers are; others, and all in Firefox and Bun, own their memory.
 */
export function encodeMessage<T>(m: Messages, struct: WriteStruct<T>, value: T): Uint8Array<ArrayBuffer> {
  const writer = write(m, struct, value);
  const bytes = (m.slab ??= new Slab()).copy(writer.bytes, 0, writer.pos);
  m.writer = writer;
  return bytes;
}

/** The same in memory that no other result shares, whatever its size. */
export function encodeMessageOwned<T>(m: Messages, struct: WriteStruct<T>, value: T): Uint8Array<ArrayBuffer> {
  const writer = write(m, struct, value);
  const bytes = copyOwned(writer.bytes, 0, writer.pos);
  m.writer = writer;
  return bytes;
}

/**
 * Writes the bytes into `target` from `offset` on; answers the offset after them. `ERR_BUFFER_TOO_SMALL` when they do not fit:
 * the target is left as it was.
 */
export function encodeMessageInto<T>(
  m: Messages,
  struct: WriteStruct<T>,
  value: T,
  target: Uint8Array,
  offset: number,
): number {
  checkTarget(target, offset);
  const writer = write(m, struct, value);
  m.writer = writer;
  return copyInto(writer, target, offset);
}

/** May bytes be written there? */
export function checkTarget(target: Uint8Array, offset: number): void {
  if (!(target instanceof Uint8Array) || !Number.isInteger(offset) || offset < 0 || offset > target.length) {
    throw invalidArgument("not a place in a Uint8Array");
  }
}

/** Copies what was written; answers the offset after it. */
export function copyInto({ bytes, pos }: PackWriter, target: Uint8Array, offset: number): number {
  const room = target.length - offset;
  if (pos > room) throw new MoonpackError("ERR_BUFFER_TOO_SMALL", `${pos} bytes, not ${room}`);
  target.set(bytes.subarray(0, pos), offset);
  return offset + pos;
}

/** What was written is there, unless a getter gave the memory away. */
export function checkWritten({ bytes, pos }: PackWriter): void {
  if (bytes.length < pos) throw new MoonpackError("ERR_CLOSED", "a getter transferred the memory");
}

/** The bytes as a view that is valid until the next call that writes. */
export function encodeMessageShared<T>(m: Messages, struct: WriteStruct<T>, value: T): Uint8Array<ArrayBuffer> {
  const writer = write(m, struct, value);
  m.writer = writer;
  return (m.views ??= new SharedViews()).view(writer.bytes, writer.pos);
}

/** How many bytes the value takes. It is written to find out. */
export function sizeOfMessage<T>(m: Messages, struct: WriteStruct<T>, value: T): number {
  const writer = write(m, struct, value);
  m.writer = writer;
  return writer.pos;
}

/** The value of a whole message. */
export function decodeMessage<T>(m: ReadMessages, struct: ReadStruct<T>, input: BytesInput): T {
  return readMessage(open(m, input), struct);
}

/** The same where values have views of the input: it is not copied. */
export function decodeMessageInPlace<T>(
  m: Pick<ReadMessages, "maxDepth">,
  struct: ReadStruct<T>,
  input: BytesInput,
): T {
  return readMessage(new PackReader(toBytes(input), 0, m.maxDepth), struct);
}

/** Reads a message that is open. */
export function readMessage<T>(reader: PackReader, struct: ReadStruct<T>): T {
  let value: T;
  try {
    value = struct(reader, 1);
  } catch (error) {
    if (isStackOverflow(error)) throw refused("ERR_LIMIT_DEPTH", "the call stack is exhausted", reader.pos);
    throw error;
  }
  expectEnd(reader);
  return value;
}

/**
 * A reader at the first byte. Short messages are copied: that takes less than to ask their memory whether it is shared, can be
 * resized or is gone. Nobody else's code runs while one is read, so that nothing can open another one.
 */
function open(m: ReadMessages, input: BytesInput): PackReader {
  // isView asks for the internal slot: an object that merely inherits from Uint8Array.prototype has none.
  // Where memory is gone there is no first byte.
  if (ArrayBuffer.isView(input) && input instanceof Uint8Array && input[0] !== undefined) {
    const size = lengthOf(input);
    if (size <= SHORT_BYTES) return copied(m, input, size);
    if (size !== input.length) return new PackReader(viewOfBytes(input).slice(0, size), 0, m.maxDepth); // its class lies
  }
  return new PackReader(toBytes(input), 0, m.maxDepth);
}

function copied(m: ReadMessages, input: Uint8Array, size: number): PackReader {
  const reader = m.reader ?? keptReader(m);
  const { bytes } = reader;
  if (size > LOOPED_BYTES) bytes.set(input);
  else for (let i = 0; i < size; i++) bytes[i] = input[i]!;
  reader.pos = 0;
  reader.end = size;
  reader.owed = 0;
  return reader;
}

/** A reader of memory that is kept has its view from the beginning. */
function keptReader(m: ReadMessages): PackReader {
  const reader = new PackReader(new Uint8Array(SHORT_BYTES), 0, m.maxDepth);
  reader.view = new DataView(reader.bytes.buffer);
  m.reader = reader;
  return reader;
}
