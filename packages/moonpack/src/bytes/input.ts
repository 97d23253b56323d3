import { DecodeError, describe, invalidArgument } from "./errors.js";

/** What every reading function takes. */
export type BytesInput = ArrayBufferView | ArrayBufferLike;

/**
 * The bytes of any input as a Uint8Array over the same memory; a copy where that memory could change or vanish under
 * the reader: SharedArrayBuffer (another thread writes) and resizable buffers (their owner shrinks them).
 * `ERR_INVALID_ARGUMENT` for anything else, and for a detached buffer.
 */
export function toBytes(input: BytesInput): Uint8Array<ArrayBuffer> {
  // isView asks for the internal slot: an object that merely inherits from Uint8Array.prototype has none.
  const isView = ArrayBuffer.isView(input);
  if (!isView && !isBuffer(ArrayBuffer, input) && !isShared(input)) {
    throw invalidArgument(`expected bytes (Uint8Array, ArrayBuffer, DataView), not ${describe(input)}`);
  }
  const buffer = isView ? input.buffer : input;
  try {
    // Every engine refuses to slice what is detached (`detached` itself is too new, Node 22). By the buffer's size:
    // optimised code (V8 11.3) may still see the old length of a view that lost its memory.
    if (buffer.byteLength === 0) buffer.slice(0, 0);
    if (isView && input instanceof Uint8Array && !isUnstable(buffer)) return input as Uint8Array<ArrayBuffer>;
    const bytes = isView ? new Uint8Array(buffer, input.byteOffset, input.byteLength) : new Uint8Array(buffer);
    return (isUnstable(buffer) ? new Uint8Array(bytes) : bytes) as Uint8Array<ArrayBuffer>;
  } catch {
    throw invalidArgument("the input's buffer is detached or too small for its view");
  }
}

function isUnstable(buffer: ArrayBufferLike): boolean {
  // The usual answer without asking isShared, which takes microseconds to say no.
  return (
    (buffer as { resizable?: boolean }).resizable === true || (!(buffer instanceof ArrayBuffer) && isShared(buffer))
  );
}

function isShared(value: unknown): boolean {
  return typeof SharedArrayBuffer === "function" && isBuffer(SharedArrayBuffer, value);
}

/** Buffers of this realm and of others: by their internal slot, which nobody can fake. */
function isBuffer(type: { readonly prototype: object }, value: unknown): boolean {
  try {
    Reflect.get(type.prototype, "byteLength", value);
    return true;
  } catch {
    return false;
  }
}

/** Input cut short: `needMore` bytes are missing at least. */
export function truncated(offset: number, needMore: number): DecodeError {
  return new DecodeError("ERR_TRUNCATED", "the input ends inside an item", offset, needMore);
}
