import {
  type CodecInput,
  codec,
  decodeFramed,
  encodeFramed,
  type FramedOptions,
  Schema,
  type SchemaInput,
} from "@moonpack/pck";
import { invalidArgument, ownOptions, refuseUnknown } from "moonpack/bytes";

/**
 * Returns a codec for a kind whose messages begin with the fingerprint of their schema. Messages of another schema are `ERR_FINGERPRINT`,
 * or are read by the option `resolver`. Each message is 8 bytes longer. Throws `ERR_SCHEMA` for an invalid schema, and
 * `ERR_INVALID_ARGUMENT` for an invalid or unknown option.
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
  if (given.resolver !== undefined && typeof given.resolver !== "function")
    throw invalidArgument("resolver must be a function");
  // Made once: encodeFramed would make a codec of a document for each message. A codec has a schema.
  const made =
    (Object(schema) as { schema?: unknown }).schema instanceof Schema ? schema : codec(schema as SchemaInput<Out, In>);
  return {
    encode: (value) => encodeFramed(made, value),
    decode: (bytes) => decodeFramed(bytes, made, given),
  };
}
