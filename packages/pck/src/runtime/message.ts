/**
 * Encodes and decodes whole messages of one schema, for codecs and emitted code: memory, errors and the checks at both
 * ends.
 */

import {
  type BytesInput,
  copyOwned,
  type ElementBudget,
  grantElements,
  invalidArgument,
  isStackOverflow,
  lengthOf,
  MoonpackError,
  passElements,
  SharedViews,
  Slab,
  toBytes,
  viewOfBytes,
} from "moonpack/bytes";
import { countElements, countingReader, expectEnd, PackReader, refused } from "./reader.js";
import { encodeError, GrowingPackWriter, type PackWriter } from "./writer.js";

const FIRST_BYTES = 1024;
/**
 * Up to this size a copy is cheaper than a DataView over the input, which text and lists need (3 KB: 90 ns against 230
 * ns).
 */
const SHORT_BYTES = 4096;
/** Fewer bytes are copied by a loop: one call of `set` takes 25 ns. */
const LOOPED_BYTES = 16;

/** Writes a struct whose own depth is `depth`; the root's depth is 1. */
export type WriteStruct<T> = (w: PackWriter, value: T, depth: number) => void;
/** Reads a struct whose own depth is `depth`; the root's depth is 1. */
export type ReadStruct<T> = (r: PackReader, depth: number) => T;

/** Limits and memory for decoding messages one after the other. */
export interface ReadMessages {
  /** Limit of nesting. */
  readonly maxDepth: number;
  /** Limit of elements; 0 stands for the default. */
  readonly maxElements: number;
  /** Reader whose memory short messages are copied to; null until it is needed. */
  reader: PackReader | null;
}

/** Memory for encoding and decoding messages one after the other. A nested call (from a getter) allocates its own. */
export class PackMessages implements ReadMessages {
  readonly maxDepth: number;
  readonly maxElements: number;
  /** @internal The idle writer; null while a call uses it. */
  writer: GrowingPackWriter | null = null;
  /** @internal Memory whose slices are short results. */
  slab: Slab | null = null;
  /** @internal */
  views: SharedViews | null = null;
  reader: PackReader | null = null;

  /** `maxElements`: 0 for the default. */
  constructor(maxDepth: number, maxElements = 0) {
    this.maxDepth = maxDepth;
    this.maxElements = maxElements;
  }
}

/** Writes one message. The returned writer is idle again: read its bytes before anything else is written. */
function write<T>(m: PackMessages, struct: WriteStruct<T>, value: T): GrowingPackWriter {
  const writer = m.writer ?? new GrowingPackWriter(FIRST_BYTES, m.maxDepth);
  m.writer = null;
  writer.reset();
  writeMessage(writer, struct, value);
  m.writer = writer;
  return writer;
}

/**
 * Writes one message from `w.pos` on. The caller takes the writer out of its memory before: a getter of the value may
 * encode another message, and that call must not find this writer. Throws `ERR_CLOSED` when a getter transferred the writer's
 * buffer.
 */
export function writeMessage<T>(w: PackWriter, struct: WriteStruct<T>, value: T): void {
  try {
    struct(w, value, 1);
  } catch (error) {
    throw encodeError(error);
  }
  if (w.bytes.length < w.pos) throw new MoonpackError("ERR_CLOSED", "a getter detached the memory");
}

/**
 * Returns the bytes of a value, in memory that is never written again. A result of 65 bytes to 2 KB is a view of an 8
 * KB slab, like a small Buffer of Node; other results, and all results in Firefox and Bun, own their buffer.
 */
export function packMessage<T>(m: PackMessages, struct: WriteStruct<T>, value: T): Uint8Array<ArrayBuffer> {
  const { bytes, pos } = write(m, struct, value);
  return (m.slab ??= new Slab()).copy(bytes, 0, pos);
}

/** Works like {@link packMessage}; the result owns its buffer, whatever its size. */
export function packMessageOwned<T>(m: PackMessages, struct: WriteStruct<T>, value: T): Uint8Array<ArrayBuffer> {
  const { bytes, pos } = write(m, struct, value);
  return copyOwned(bytes, 0, pos);
}

/**
 * Writes the bytes of a value into `target` from `offset` on and returns the offset after them. Throws
 * `ERR_BUFFER_TOO_SMALL` when they do not fit; the target is unchanged then.
 */
export function packMessageInto<T>(
  m: PackMessages,
  struct: WriteStruct<T>,
  value: T,
  target: Uint8Array,
  offset: number,
): number {
  checkTarget(target, offset);
  return copyInto(write(m, struct, value), target, offset);
}

/** Throws `ERR_INVALID_ARGUMENT` unless `offset` is a position in the Uint8Array `target`. */
export function checkTarget(target: Uint8Array, offset: number): void {
  if (!(target instanceof Uint8Array) || !Number.isInteger(offset) || offset < 0 || offset > target.length) {
    throw invalidArgument("not a valid target and offset");
  }
}

/** Copies the written bytes to `target[offset..]` and returns the offset after them. Throws `ERR_BUFFER_TOO_SMALL`. */
export function copyInto({ bytes, pos }: PackWriter, target: Uint8Array, offset: number): number {
  const end = offset + pos;
  if (end > target.length) {
    throw new MoonpackError("ERR_BUFFER_TOO_SMALL", `${pos} bytes do not fit in ${target.length - offset}`);
  }
  target.set(bytes.subarray(0, pos), offset);
  return end;
}

/** Returns the bytes of a value as a view that is valid until the next call that writes. */
export function packMessageShared<T>(m: PackMessages, struct: WriteStruct<T>, value: T): Uint8Array<ArrayBuffer> {
  const { bytes, pos } = write(m, struct, value);
  return (m.views ??= new SharedViews()).view(bytes, pos);
}

/** Returns how many bytes a value takes, by writing it. */
export function packedSize<T>(m: PackMessages, struct: WriteStruct<T>, value: T): number {
  return write(m, struct, value).pos;
}

/**
 * Decodes a whole message. `weight`: elements that the root struct counts towards `maxElements`; 0 switches counting
 * off, for schemas whose messages cannot reach the limit.
 */
export function unpackMessage<T>(m: ReadMessages, struct: ReadStruct<T>, input: BytesInput, weight = 0): T {
  return readCounted(open(m, input, weight > 0), struct, weight);
}

/** Works like {@link unpackMessage}, without a copy of the input: values may be views of it. */
export function unpackMessageInPlace<T>(
  m: Pick<ReadMessages, "maxDepth"> & Partial<Pick<ReadMessages, "maxElements">>,
  struct: ReadStruct<T>,
  input: BytesInput,
  weight = 0,
): T {
  return readCounted(countingReader(toBytes(input), m.maxDepth, m.maxElements ?? 0), struct, weight);
}

/** Works like {@link unpackMessageInPlace}, for a message that shares its element budget with others. */
export function unpackMessageWithin<T>(
  maxDepth: number,
  struct: ReadStruct<T>,
  input: BytesInput,
  weight: number,
  budget: ElementBudget,
): T {
  const reader = new PackReader(toBytes(input), 0, maxDepth);
  passElements(budget, reader);
  const value = readCounted(reader, struct, weight);
  passElements(reader, budget);
  return value;
}

/** Counts the elements of the root struct, then reads the message. */
export function readCounted<T>(reader: PackReader, struct: ReadStruct<T>, weight: number): T {
  if (weight > 0) countElements(reader, weight);
  return readMessage(reader, struct);
}

/** Reads a message to the end of the reader. Throws `ERR_TRAILING_BYTES` when bytes are left over. */
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
 * Returns a reader at the first byte. A short message is copied: checking whether its buffer is shared, resizable or
 * detached would cost more. The kept reader is never in use here, since no user code runs while a message is read.
 */
function open(m: ReadMessages, input: BytesInput, counts: boolean): PackReader {
  // `isView` checks the internal slot, which an object that only inherits from Uint8Array.prototype lacks. A detached
  // buffer has no first byte.
  if (ArrayBuffer.isView(input) && input instanceof Uint8Array && input[0] !== undefined) {
    const size = lengthOf(input);
    if (size <= SHORT_BYTES) return copied(m, input, size, counts);
    if (size !== input.length) {
      const owned = viewOfBytes(input).slice(0, size); // a subclass overrides `length`
      return countingReader(owned, m.maxDepth, m.maxElements);
    }
  }
  return countingReader(toBytes(input), m.maxDepth, m.maxElements);
}

function copied(m: ReadMessages, input: Uint8Array, size: number, counts: boolean): PackReader {
  const reader = m.reader ?? keptReader(m);
  const { bytes } = reader;
  if (size > LOOPED_BYTES) bytes.set(input);
  else {
    let i = 0;
    for (; i + 4 <= size; i += 4) {
      bytes[i] = input[i]!;
      bytes[i + 1] = input[i + 1]!;
      bytes[i + 2] = input[i + 2]!;
      bytes[i + 3] = input[i + 3]!;
    }
    for (; i < size; i++) bytes[i] = input[i]!;
  }
  reader.pos = 0;
  reader.end = size;
  reader.reserved = 0;
  if (counts) grantElements(reader, m.maxElements, size);
  return reader;
}

/** Makes the reader of short messages. Its DataView is made once and serves all of them. */
function keptReader(m: ReadMessages): PackReader {
  const reader = countingReader(new Uint8Array(SHORT_BYTES), m.maxDepth, m.maxElements);
  reader.view = new DataView(reader.bytes.buffer);
  m.reader = reader;
  return reader;
}
