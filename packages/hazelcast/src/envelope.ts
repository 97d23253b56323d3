/**
 * The bytes around a value: hash (i32 BE), type id (i32 BE), length (i32), payload. The client writes hash and type id, and
 * reads them before it calls a serializer.
 */
import type { DataInput, DataOutput } from "hazelcast-client";
import { DecodeError } from "moonpack/bytes";

/** The position of a serializer in a value that nothing surrounds: behind hash and type id. A value inside of another is later. */
const OUTERMOST = 8;

/** Bytes of the length. */
const LENGTH_BYTES = 4;

/** What follows a type id. */
export interface Envelope {
  /** The payload; all that is left where the length is wrong. A view of the client's memory. */
  readonly payload: Buffer;
  /** The number in front of the payload; null if there are fewer than four bytes. */
  readonly length: number | null;
  /** The hash in front of the value; 0 inside of other values. */
  readonly hash: number;
  /** What is wrong with the length; null if nothing is. */
  readonly error: DecodeError | null;
}

/** Reads what follows a type id. Does not throw: a wrong length is an `error`. */
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
  return new DecodeError("ERR_TRUNCATED", "the value is cut", offset, needMore);
}

/** The next bytes one by one: the client's method for byte arrays reads a length first. */
function rest(input: DataInput, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  for (let i = 0; i < count; i++) bytes[i] = input.readUnsignedByte();
  return bytes;
}

/** The hash is big-endian whatever the client's byte order is. */
function hashOf(input: DataInput): number {
  return (input.read(0) << 24) | (input.read(1) << 16) | (input.read(2) << 8) | input.read(3);
}

/**
 * Replaces the type id that the client has just written. Call it before anything else is written. The client finds one
 * serializer for all values that are not of a type of its own, and takes the type id from it.
 */
export function writeTypeId(output: DataOutput, typeId: number): void {
  const position = output.position();
  output.position(position - 4);
  // Inside of another value the type id is in the client's byte order.
  if (position === OUTERMOST) output.writeIntBE(typeId);
  else output.writeInt(typeId);
}

/** Replaces the hash in front of the outermost value. Inside of another value there is none. */
export function writeHash(output: DataOutput, hash: number): void {
  const position = output.position();
  if (position !== OUTERMOST) return;
  output.position(0);
  output.writeIntBE(hash);
  output.position(position);
}

/** The same memory as a Buffer, which the client insists on. */
export function asBuffer(bytes: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
