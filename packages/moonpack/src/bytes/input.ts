import { DecodeError, invalidArgument } from "./errors.js";

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
  // The tag is what buffers of every realm have; an object that fakes it has no bytes to give.
  if (!isView && !/^\[object (Shared)?ArrayBuffer]$/.test(Object.prototype.toString.call(input))) {
    throw invalidArgument(`expected bytes (Uint8Array, ArrayBuffer, DataView), not ${input === null ? null : typeof input}`);
  }
  const buffer = isView ? input.buffer : input;
  try {
    // Every engine refuses to slice what is detached (`detached` itself is too new, Node 22). By the buffer's size:
    // optimised code (V8 11.3) may still see the old length of a view that lost its memory.
    if (buffer.byteLength === 0) buffer.slice(0, 0);
    const bytes =
      input instanceof Uint8Array && isView
        ? input
        : isView
          ? new Uint8Array(buffer, input.byteOffset, input.byteLength)
          : new Uint8Array(buffer);
    // Not `slice`: that of a Buffer is a view.
    return (isUnstable(buffer) ? Uint8Array.from(bytes) : bytes) as Uint8Array<ArrayBuffer>;
  } catch {
    throw invalidArgument("the input's buffer is detached or too small for its view");
  }
}

function isUnstable(buffer: ArrayBufferLike): boolean {
  return (buffer as { resizable?: boolean }).resizable === true || /Shared/.test(Object.prototype.toString.call(buffer));
}

/** Input cut short: `needMore` bytes are missing at least. */
export function truncated(offset: number, needMore: number): DecodeError {
  return new DecodeError("ERR_TRUNCATED", "the input ends inside an item", offset, needMore);
}
