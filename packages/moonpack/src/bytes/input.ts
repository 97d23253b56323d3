import { DecodeError, describe, invalidArgument, type MoonpackError } from "./errors.js";

/** The input of every function that reads: a Uint8Array or another view, an ArrayBuffer or a SharedArrayBuffer. */
export type BytesInput = ArrayBufferView | ArrayBufferLike;

/**
 * Returns the bytes of any input as a Uint8Array of the same memory. It is a copy where the memory could change or disappear while it
 * is read: for SharedArrayBuffers (another thread may write) and resizable buffers (their owner may shrink them).
 * Throws `ERR_INVALID_ARGUMENT` for anything else, and for a detached buffer.
 *
 * @example
 * const bytes = toBytes(input); // Uint8Array, ArrayBuffer, DataView, Buffer ..
 */
export function toBytes(input: BytesInput): Uint8Array<ArrayBuffer> {
  // isView tests the internal slot, which an object that only inherits from Uint8Array.prototype does not have.
  const isView = ArrayBuffer.isView(input);
  try {
    // The DataView constructor tests the buffer's slot, in any realm, and throws for a detached buffer. Only a buffer of size 0 can
    // be detached. The view's length does not show it: optimised code (V8 11.3) may see the old length.
    const view = isView && input.buffer.byteLength > 0 ? input : new DataView(isView ? input.buffer : input);
    const { buffer } = view;
    const isUnstable =
      (buffer as { resizable?: boolean }).resizable === true || (!(buffer instanceof ArrayBuffer) && isShared(buffer));
    if (view instanceof Uint8Array && !isUnstable) return view as Uint8Array<ArrayBuffer>;
    const bytes = new Uint8Array(buffer as ArrayBuffer, view.byteOffset, view.byteLength);
    return isUnstable ? new Uint8Array(bytes) : bytes;
  } catch {
    throw notBytes(input);
  }
}

/** Works like {@link toBytes}, but always of the same memory: for readers that copy the bytes before they use them. */
export function viewOfBytes(input: BytesInput): Uint8Array {
  try {
    const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(input) ? input : new DataView(input);
    return new Uint8Array(buffer, byteOffset, byteLength);
  } catch {
    throw notBytes(input);
  }
}

function notBytes(input: unknown): MoonpackError {
  const found = ArrayBuffer.isView(input) || input instanceof ArrayBuffer ? "a detached buffer" : describe(input);
  return invalidArgument(`expected bytes (Uint8Array, ArrayBuffer, DataView), not ${found}`);
}

/** The real length of an array: a subclass may override the property `length`. */
export const lengthOf = /* @__PURE__ */ getterOf("length") as (bytes: Uint8Array) => number;

function getterOf(name: string): (bytes: Uint8Array) => unknown {
  const { get } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), name)!;
  return Function.prototype.call.bind(get!);
}

/** Tests the internal slot, which cannot be faked. Pages that are not isolated have no SharedArrayBuffer. */
function isShared(buffer: ArrayBufferLike): boolean {
  try {
    return Reflect.get(SharedArrayBuffer.prototype, "byteLength", buffer) >= 0;
  } catch {
    return false;
  }
}

/** Returns the error for truncated input: at least `needMore` bytes are missing. */
export function truncated(offset: number, needMore: number): DecodeError {
  return new DecodeError("ERR_TRUNCATED", "the input ends inside an item", offset, needMore);
}

/** The error for input without bytes: usually a file or body that is empty, not truncated. */
export function emptyInput(): DecodeError {
  return new DecodeError("ERR_TRUNCATED", "the input is empty", 0, 1);
}
