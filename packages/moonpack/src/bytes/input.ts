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
  // isView asks for the internal slot: an object that merely inherits from Uint8Array.prototype has none.
  if (ArrayBuffer.isView(input)) bytes = input instanceof Uint8Array ? input : viewBytes(input);
  else if (isBuffer(input)) bytes = bufferBytes(input);
  else throw invalidArgument(`expected a Uint8Array, ArrayBuffer or DataView, not ${describe(input)}`);
  // By the buffer's size: optimised code (V8 11.3) may still see the old length of a view that lost its memory.
  if (bytes.buffer.byteLength === 0) assertAttached(bytes.buffer);
  return (isUnstable(bytes.buffer) ? copyBytes(bytes) : bytes) as Uint8Array<ArrayBuffer>;
}

function viewBytes(view: ArrayBufferView): Uint8Array {
  try {
    // A DataView's own getters throw when it lost its memory.
    return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  } catch {
    throw lostMemory();
  }
}

function bufferBytes(buffer: ArrayBufferLike): Uint8Array {
  try {
    return new Uint8Array(buffer);
  } catch {
    throw lostMemory();
  }
}

function assertAttached(buffer: ArrayBufferLike): void {
  try {
    // Every engine refuses to slice what is detached; `detached` itself is too new (Node 22).
    buffer.slice(0, 0);
  } catch {
    throw lostMemory();
  }
}

function lostMemory(): Error {
  return invalidArgument("the input's buffer is detached or became smaller than the view on it");
}

/** Not `slice`: that of a Buffer is a view. A view that is out of its buffer's bounds by now is empty. */
function copyBytes(bytes: Uint8Array): Uint8Array {
  return bytes.length === 0 ? new Uint8Array(0) : new Uint8Array(bytes);
}

function isUnstable(buffer: ArrayBufferLike): boolean {
  if ((buffer as { resizable?: boolean }).resizable === true) return true;
  return !(buffer instanceof ArrayBuffer) && isShared(buffer);
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
