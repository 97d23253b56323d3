import { DecodeError, describe, invalidArgument } from "./errors.js";

/** What every reading function takes. */
export type BytesInput = ArrayBufferView | ArrayBufferLike;

/**
 * The bytes of any input as a Uint8Array over the same memory; a copy where that memory could change or vanish under
 * the reader: SharedArrayBuffer (another thread writes) and resizable buffers (their owner shrinks them).
 * `ERR_INVALID_ARGUMENT` for anything else, and for a detached buffer.
 */
export function toBytes(input: BytesInput): Uint8Array<ArrayBuffer> {
  let bytes: Uint8Array;
  if (input instanceof Uint8Array) bytes = input;
  else if (ArrayBuffer.isView(input)) bytes = viewBytes(input.buffer, input.byteOffset, input.byteLength);
  else if (isBuffer(input)) bytes = viewBytes(input, 0, input.byteLength);
  else throw invalidArgument(`expected a Uint8Array, ArrayBuffer or DataView, not ${describe(input)}`);
  if (bytes.length === 0) assertAttached(bytes);
  return (isUnstable(bytes.buffer) ? bytes.slice() : bytes) as Uint8Array<ArrayBuffer>;
}

function assertAttached(bytes: Uint8Array): void {
  viewBytes(bytes.buffer, bytes.byteOffset, 0);
}

function viewBytes(buffer: ArrayBufferLike, offset: number, length: number): Uint8Array {
  try {
    return new Uint8Array(buffer, offset, length);
  } catch {
    throw invalidArgument("the input's buffer is detached");
  }
}

function isUnstable(buffer: ArrayBufferLike): boolean {
  return !(buffer instanceof ArrayBuffer) ? isShared(buffer) : (buffer as { resizable?: boolean }).resizable === true;
}

function isShared(buffer: unknown): boolean {
  return typeof SharedArrayBuffer !== "undefined" && brand(SharedArrayBuffer.prototype, buffer);
}

/** Buffers of this realm and of others: by their internal slot, which nobody can fake. */
function isBuffer(value: unknown): value is ArrayBufferLike {
  return brand(ArrayBuffer.prototype, value) || isShared(value);
}

function brand(prototype: object, value: unknown): boolean {
  try {
    Object.getOwnPropertyDescriptor(prototype, "byteLength")!.get!.call(value);
    return true;
  } catch {
    return false;
  }
}

/** Input cut short: `needMore` bytes are missing at least. */
export function truncated(offset: number, needMore: number): DecodeError {
  return new DecodeError("ERR_TRUNCATED", "the input ends inside an item", offset, needMore);
}
