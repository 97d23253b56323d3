import { type CodecInput, decodeFramed, encodeFramed, type FramedOptions } from "@moonpack/pck";
import { ownOptions, refuseUnknown } from "moonpack/bytes";

/**
 * Returns a codec for a kind whose messages begin with the fingerprint of their schema. Messages of another schema are `ERR_FINGERPRINT`,
 * or are read by the option `resolver`. Each message is 8 bytes longer. Throws `ERR_INVALID_ARGUMENT` for an unknown option.
 *
 * @example
 * const kinds = { 1: framed(Position) };
 */
export function framed<Out, In>(
  schema: CodecInput<Out, In>,
  options?: FramedOptions<Out>,
): { encode(value: In): Uint8Array; decode(bytes: Uint8Array): Out } {
  const given: FramedOptions<Out> = ownOptions(options);
  refuseUnknown(given, ["resolver"]);
  return {
    encode: (value) => encodeFramed(schema, value),
    decode: (bytes) => decodeFramed(bytes, schema, given),
  };
}
