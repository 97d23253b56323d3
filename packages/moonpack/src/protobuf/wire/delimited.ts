/** Messages one behind the other, each with its size in front: what other languages call `writeDelimitedTo`. */
import { DecodeError } from "../../bytes/errors.js";
import { encodeFrame, readFrames } from "../../bytes/frames.js";
import { type BytesInput, toBytes } from "../../bytes/input.js";

/** What {@link sizeDelimitedPeek} answers, in the words of protobuf-es. */
export type PeekedSize =
  | {
      /** The size is there, */
      readonly eof: false;
      /** so many bytes, */
      readonly size: number;
      /** which begin here. */
      readonly offset: number;
    }
  | {
      /** The bytes end inside the size. */
      readonly eof: true;
      /** It is not known. */
      readonly size: null;
      /** Nor where the message begins. */
      readonly offset: null;
    };

/** An encoded message with its size in front. `ERR_FRAME_TOO_LARGE` above `maxBytes` (64 MiB). */
export function sizeDelimitedEncode(message: BytesInput, maxBytes?: number): Uint8Array<ArrayBuffer> {
  return encodeFrame(message, maxBytes === undefined ? {} : { maxFrameBytes: maxBytes });
}

/**
 * The encoded messages of bytes that hold one behind the other, as views. Of a stream: `decodeFrames` of `moonpack/stream`.
 * `ERR_TRUNCATED` and `ERR_FRAME_TOO_LARGE`, with offset.
 *
 * @example
 * for (const message of sizeDelimitedDecode(bytes)) console.log(Person.decode(message));
 */
export function sizeDelimitedDecode(bytes: BytesInput, maxBytes?: number): Generator<Uint8Array, void, undefined> {
  return readFrames(bytes, maxBytes === undefined ? {} : { maxFrameBytes: maxBytes });
}

/** The size that a message begins with, and where it begins; `eof` when the bytes end inside the size. `ERR_OUT_OF_RANGE` */
export function sizeDelimitedPeek(bytes: BytesInput): PeekedSize {
  const all = toBytes(bytes);
  let size = 0;
  for (let i = 0; i < all.length; i++) {
    const byte = all[i]!;
    if (i === 4 && byte > 0x0f) throw new DecodeError("ERR_OUT_OF_RANGE", "a size beyond 32 bits", 0);
    size += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return { eof: false, size, offset: i + 1 };
  }
  return { eof: true, size: null, offset: null };
}
