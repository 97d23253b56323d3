/** Several messages in one sequence of bytes, each after its size. Other languages call it `writeDelimitedTo`. */
import { type BytesInput, DecodeError, encodeFrame, readFrames, toBytes } from "moonpack/bytes";

/** The result of {@link sizeDelimitedPeek}, with the names of protobuf-es. */
export type PeekedSize =
  | {
      /** The size is complete. */
      readonly eof: false;
      /** The size of the message in bytes. */
      readonly size: number;
      /** Where the message begins. */
      readonly offset: number;
    }
  | {
      /** The bytes end inside the size. */
      readonly eof: true;
      /** The size is not known. */
      readonly size: null;
      /** The place of the message is not known. */
      readonly offset: null;
    };

/** Puts the size of an encoded message before it. Throws `ERR_FRAME_TOO_LARGE` above `maxBytes` (default 64 MiB). */
export function sizeDelimitedEncode(message: BytesInput, maxBytes?: number): Uint8Array<ArrayBuffer> {
  return encodeFrame(message, maxBytes === undefined ? {} : { maxFrameBytes: maxBytes });
}

/**
 * Iterates over encoded messages that are each preceded by their size, as views. For streams: `decodeFrames` of
 * `moonpack/stream`. Throws `ERR_TRUNCATED` and `ERR_FRAME_TOO_LARGE`, with the offset.
 *
 * @example
 * for (const message of sizeDelimitedDecode(bytes)) console.log(Person.decode(message));
 */
export function sizeDelimitedDecode(bytes: BytesInput, maxBytes?: number): Generator<Uint8Array, void, undefined> {
  return readFrames(bytes, maxBytes === undefined ? {} : { maxFrameBytes: maxBytes });
}

/**
 * Reads the size before a message, and where the message begins. `eof` is true when the bytes end inside the size.
 * Throws `ERR_OUT_OF_RANGE` if the size does not fit into 32 bits.
 */
export function sizeDelimitedPeek(bytes: BytesInput): PeekedSize {
  const all = toBytes(bytes);
  let size = 0;
  for (let i = 0; i < all.length; i++) {
    const byte = all[i]!;
    if (i === 4 && byte > 0x0f) throw new DecodeError("ERR_OUT_OF_RANGE", "a size does not fit into 32 bits", 0);
    size += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return { eof: false, size, offset: i + 1 };
  }
  return { eof: true, size: null, offset: null };
}
