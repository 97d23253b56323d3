import type { InputKind, Payload } from "../types.js";

/** The largest chunk that libuv passes to a socket's `data` event. */
const CHUNK_BYTES = 65_536;

/**
 * Delivers copies of encoded messages as a socket does: each copy is in memory that no decoder has seen, cut from a 64 KiB
 * chunk at the offset where the previous message ended. Larger messages have their own memory.
 *
 * Decoding the same buffer repeatedly would favour codecs that cache a view of it, and would not show how the garbage
 * collector treats that cache.
 */
export class SocketInputs {
  #kind: InputKind;
  #chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  #used = 0;

  constructor(kind: InputKind) {
    this.#kind = kind;
  }

  /** Returns a copy of `payload` that shares no object, and no memory in use, with any earlier copy. */
  copy(payload: Payload): Payload {
    return typeof payload === "string" ? copyString(payload) : this.#copyBytes(payload);
  }

  #copyBytes(bytes: Uint8Array): Uint8Array {
    const length = bytes.length;
    let target = this.#chunk;
    let start = this.#used;
    if (length > CHUNK_BYTES) {
      target = Buffer.allocUnsafeSlow(length);
      start = 0;
    } else {
      if (start + length > CHUNK_BYTES) {
        target = this.#chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
        start = 0;
      }
      this.#used = start + length;
    }
    target.set(bytes, start);
    return this.#kind === "buffer"
      ? target.subarray(start, start + length)
      : new Uint8Array(target.buffer, target.byteOffset + start, length);
  }
}

/** A flat string with its own characters: V8 would share the characters of a slice or a concatenation. */
function copyString(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}
