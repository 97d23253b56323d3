/** MessagePack as a codec of values. */
import type { ValueReader } from "moonpack/bytes";
import { Decoder, type DecoderOptions, Encoder, type EncoderOptions } from "moonpack/msgpack";
import { type DistinctCodec, isText } from "./codec.js";

const UINT8 = 0xcc;
const ZERO = 0x30;
const NINE = 0x39;

/** Returns a codec for MessagePack with these options. Throws `ERR_INVALID_ARGUMENT` for an invalid one. */
export function msgpackCodec(encoder?: EncoderOptions, decoder?: DecoderOptions): DistinctCodec<unknown, unknown> {
  const encoders = new Encoder(encoder);
  const decoders = new Decoder(decoder);
  return {
    encode(value) {
      const bytes = encoders.encode(value);
      // The integers 48 to 57 are written in two bytes: one byte would also be a digit in JSON.
      return isDigit(bytes) ? new Uint8Array([UINT8, bytes[0]!]) : bytes;
    },
    decode: (bytes) => decoders.decode(bytes),
    isForeignText: (bytes) => isDigit(bytes) || (bytes.length > 1 && isText(bytes)),
    ofJSON: (json) => json,
  };
}

/** Returns the codec of the same values that reads only some parts of them. JSON is picked from as MessagePack. */
export function pickingCodec(
  codec: DistinctCodec<unknown, unknown>,
  picker: ValueReader,
): DistinctCodec<unknown, unknown> {
  return {
    ...codec,
    decode: (bytes) => picker.decode(bytes),
    ofJSON: (json) => picker.decode(codec.encode(json)),
  };
}

function isDigit(bytes: Uint8Array): boolean {
  return bytes.length === 1 && bytes[0]! >= ZERO && bytes[0]! <= NINE;
}
