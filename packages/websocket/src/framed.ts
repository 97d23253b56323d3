import { type CodecInput, decodeFramed, encodeFramed, type FramedOptions } from "@moonpack/pck";

/**
 * A codec for a kind whose messages begin with the fingerprint of their schema: a peer with another schema is found out, or is
 * understood by the option `resolver`. Costs the bytes of the fingerprint for each message.
 *
 * @example
 * const kinds = { 1: framed(Position) };
 */
export function framed<Out, In>(
  schema: CodecInput<Out, In>,
  options?: FramedOptions<Out>,
): { encode(value: In): Uint8Array; decode(bytes: Uint8Array): Out } {
  return {
    encode: (value) => encodeFramed(schema, value),
    decode: (bytes) => decodeFramed(bytes, schema, options),
  };
}
