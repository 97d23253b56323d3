/**
 * The layout of a stored value: hash (i32 BE), type id (i32 BE), length (i32), payload. The client writes the hash and the type
 * id, and reads them before it calls a serializer.
 */
import type { DataInput, DataOutput } from "hazelcast-client";
import { DecodeError } from "moonpack/bytes";

/** The position after hash and type id of a top-level value. Nested values have larger positions. */
const OUTERMOST = 8;

/** Bytes of the length. */
const LENGTH_BYTES = 4;

/** The bytes after a type id. */
export interface Envelope {
  /** The payload, or all remaining bytes if the length is wrong. A view of the client's memory. */
  readonly payload: Buffer;
  /** The stored length of the payload; null if fewer than four bytes are left. */
  readonly length: number | null;
  /** The stored hash; 0 for nested values. */
  readonly hash: number;
  /** The error if the length is wrong; null otherwise. */
  readonly error: DecodeError | null;
}

/** Reads the bytes after a type id. Does not throw: a wrong length is returned as `error`. */
export function readEnvelope(input: DataInput): Envelope {
  const start = input.position();
  const isOutermost = start === OUTERMOST;
  const hash = isOutermost ? hashOf(input) : 0;
  const available = input.available();
  if (available < LENGTH_BYTES) {
    const error = cut(0, LENGTH_BYTES - available);
    return { payload: rest(input, available), length: null, hash, error };
  }
  const length = input.readInt();
  const left = available - LENGTH_BYTES;
  const error = faultOf(length, left, isOutermost);
  if (error !== null) return { payload: rest(input, left), length, hash, error };
  input.position(start);
  return { payload: input.readByteArray()!, length, hash, error: null };
}

function faultOf(length: number, left: number, isOutermost: boolean): DecodeError | null {
  if (length < 0) return new DecodeError("ERR_INVALID_BYTE", `${length} is not a valid length`, 0);
  if (length > left) return cut(LENGTH_BYTES + left, length - left);
  if (length < left && isOutermost)
    return new DecodeError("ERR_TRAILING_BYTES", "bytes follow the value", LENGTH_BYTES + length);
  return null;
}

function cut(offset: number, needMore: number): DecodeError {
  return new DecodeError("ERR_TRUNCATED", "the value is truncated", offset, needMore);
}

/** Reads the next bytes one by one: the client's method for byte arrays would read a length first. */
function rest(input: DataInput, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  for (let i = 0; i < count; i++) bytes[i] = input.readUnsignedByte();
  return bytes;
}

/** Returns the hash, which is big-endian in either byte order of the client. */
function hashOf(input: DataInput): number {
  return (input.read(0) << 24) | (input.read(1) << 16) | (input.read(2) << 8) | input.read(3);
}

/**
 * Replaces the type id that the client has just written. Must be called before anything else is written. The client uses one
 * serializer, with one type id, for all values that it has no own type for.
 */
export function writeTypeId(output: DataOutput, typeId: number): void {
  const position = output.position();
  output.position(position - 4);
  // The type id of a nested value has the client's byte order.
  if (position === OUTERMOST) output.writeIntBE(typeId);
  else output.writeInt(typeId);
}

/** Replaces the hash of a top-level value. Nested values have no hash. */
export function writeHash(output: DataOutput, hash: number): void {
  const position = output.position();
  if (position !== OUTERMOST) return;
  output.position(0);
  output.writeIntBE(hash);
  output.position(position);
}

/** Returns a Buffer over the same memory: the client accepts only Buffers. */
export function asBuffer(bytes: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
