/** PCK of a schema, with the fingerprint of the schema in front of each value. */
import {
  type CodecOptions,
  codec,
  decodeFramed,
  encodeFramed,
  fingerprint,
  type Resolver,
  resolve,
  type SchemaInput,
} from "@moonpack/pck";
import { invalidArgument, ownOptions } from "moonpack/bytes";
import { type DistinctCodec, isText } from "./codec.js";

/** Options of {@link framed}: those of PCK's codecs, and older schemas. */
export interface FramedCodecOptions extends CodecOptions {
  /** Older forms of the schema, whose values are also read: as values of the current form. */
  readonly older?: readonly SchemaInput[];
}

/**
 * A codec for values of one schema: 8 bytes of fingerprint, then PCK. So values of an older schema are understood or found out, and never
 * read wrongly. `ERR_SCHEMA` for an invalid schema, or for an older one that does not fit; `ERR_INVALID_ARGUMENT` for an option.
 *
 * @example
 * const users = redisValues(client, { codec: framed(User, { older: [UserV1] }) });
 */
export function framed<Out, In>(
  schema: SchemaInput<Out, In>,
  options: FramedCodecOptions = {},
): DistinctCodec<Out, In> {
  const { older = [], ...codecOptions } = ownOptions(options);
  if (!Array.isArray(older)) throw invalidArgument("older must be an array of schemas");
  const current = codec(schema, codecOptions);
  const { codeGeneration: _, validate: __, ...resolveOptions } = codecOptions;
  const resolvers = new Map<string, Resolver<Out>>();
  for (const each of older) resolvers.set(nameOf(fingerprint(each)), resolve(each, schema, resolveOptions));
  const known = new Set([...resolvers.keys(), nameOf(fingerprint(schema))]);
  const resolver = (print: Uint8Array): Resolver<Out> | undefined => resolvers.get(nameOf(print));
  return {
    encode: (value) => encodeFramed(current, value),
    decode: (bytes) => decodeFramed(bytes, current, { resolver }),
    isForeignText: (bytes) => !known.has(nameOf(bytes.subarray(0, 8))) && isText(bytes),
    ofJSON: (json) => current.fromJSON(json),
  };
}

/** A fingerprint as text, by which it is found. */
function nameOf(print: Uint8Array): string {
  return String.fromCharCode(...print);
}
