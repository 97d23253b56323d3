import { DecodeError, describe, invalidArgument, type MoonpackError } from "./errors.js";

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
  try {
    // A DataView asks for the buffer's slot, of any realm, and refuses what is detached. Whether that may be is told by the
    // buffer's size: optimised code (V8 11.3) may still see the old length of a view that lost its memory.
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

/** The same, always over the same memory: for readers that copy what they read before they look at it. */
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

/** How many bytes are there, whatever a class of somebody's says. */
export const lengthOf = /* @__PURE__ */ getterOf("length") as (bytes: Uint8Array) => number;

function getterOf(name: string): (bytes: Uint8Array) => unknown {
  const { get } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), name)!;
  return Function.prototype.call.bind(get!);
}

/** Told by the internal slot, which nobody can fake. Pages that are not isolated have no SharedArrayBuffer at all. */
function isShared(buffer: ArrayBufferLike): boolean {
  try {
    return Reflect.get(SharedArrayBuffer.prototype, "byteLength", buffer) >= 0;
  } catch {
    return false;
  }
}

/** Input cut short: `needMore` bytes are missing at least. */
export function truncated(offset: number, needMore: number): DecodeError {
  return new DecodeError("ERR_TRUNCATED", "the input ends inside an item", offset, needMore);
}

/** No bytes at all: most often a file or a body that came out empty, not one that was cut. */
export function emptyInput(): DecodeError {
  return new DecodeError("ERR_TRUNCATED", "the input is empty", 0, 1);
}
