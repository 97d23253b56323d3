/** PCK values with the fingerprint of their schema in front. */
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
import { invalidArgument } from "moonpack/bytes";
import { copyOptions } from "../options.js";
import { type DistinctCodec, isText } from "./codec.js";

/** Options of {@link framed}: the options of PCK's codecs, and older schemas. */
export interface FramedCodecOptions extends CodecOptions {
  /** Older versions of the schema. Their values are read as values of the current version. */
  readonly older?: readonly SchemaInput[];
}

const NAMES: readonly (keyof FramedCodecOptions)[] = [
  "older",
  "int64",
  "maps",
  "typedArrays",
  "binary",
  "maxDepth",
  "maxElements",
  "absent",
  "classes",
  "validate",
  "codeGeneration",
];

/**
 * Returns a codec for values of one schema: 8 bytes of fingerprint, then PCK. Values of another schema are read with `older`, or are
 * `ERR_FINGERPRINT`. Throws `ERR_SCHEMA` for an invalid schema or an incompatible older one, `ERR_INVALID_ARGUMENT` for an invalid or
 * unknown option.
 *
 * @example
 * const users = redisValues(client, { codec: framed(User, { older: [UserV1] }) });
 */
export function framed<Out, In>(schema: SchemaInput<Out, In>, options?: FramedCodecOptions): DistinctCodec<Out, In> {
  const { older = [], ...codecOptions } = copyOptions(options, NAMES);
  if (!Array.isArray(older)) throw invalidArgument("older must be an array of schemas");
  const current = codec(schema, codecOptions);
  const { codeGeneration: _, validate: __, ...resolveOptions } = codecOptions;
  const resolvers = new Map<string, Resolver<Out>>();
  for (const each of older) resolvers.set(printText(fingerprint(each)), resolve(each, schema, resolveOptions));
  const known = new Set([...resolvers.keys(), printText(fingerprint(schema))]);
  const resolver = (print: Uint8Array): Resolver<Out> | undefined => resolvers.get(printText(print));
  return {
    encode: (value) => encodeFramed(current, value),
    decode: (bytes) => decodeFramed(bytes, current, { resolver }),
    isForeignText: (bytes) => !known.has(printText(bytes.subarray(0, 8))) && isText(bytes),
    ofJSON: (json) => current.fromJSON(json),
  };
}

/** Returns a fingerprint as text, for lookups. */
function printText(print: Uint8Array): string {
  return String.fromCharCode(...print);
}
