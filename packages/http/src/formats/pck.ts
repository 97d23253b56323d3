/** PCK as a format of bodies: messages of one schema, identified by its fingerprint. */
import { type CodecOptions, codec, fingerprint, resolve, type SchemaInput } from "@moonpack/pck";
import { invalidArgument, ownOptions, refuseSimilar } from "moonpack/bytes";
import { type PckFormat, pckHead } from "./pck-format.js";

/** Options of {@link pck}: the options of a codec, and the schemas of older peers. */
export interface PckOptions extends CodecOptions {
  /** Older versions of the schema. Their bodies are read as values of the current one, by `resolve`. */
  readonly older?: readonly SchemaInput[];
}

/**
 * Returns PCK with a schema as a format of bodies. Make it once. Throws `ERR_SCHEMA` for an invalid schema or an incompatible older one,
 * and `ERR_INVALID_ARGUMENT` for an invalid option.
 *
 * @example
 * const players = pck(Player, { older: [PlayerV1] });
 */
export function pck<Out, In>(schema: SchemaInput<Out, In>, options?: PckOptions): PckFormat<Out, In> {
  const given = ownOptions(options);
  // The codec refuses all other names, but does not know this one.
  refuseSimilar(given, ["older"]);
  const { older = [], ...codecOptions } = given;
  if (!Array.isArray(older)) throw invalidArgument("older must be a list of schemas");
  const current = codec(schema, codecOptions);
  const { codeGeneration: _, validate: __, ...resolveOptions } = codecOptions;
  const decoders = new Map([[hex(fingerprint(schema)), (bytes: Uint8Array): Out => current.decode(bytes)]]);
  for (const each of older) {
    const print = hex(fingerprint(each));
    const resolver = resolve(each, schema, resolveOptions);
    if (!decoders.has(print)) decoders.set(print, (bytes) => resolver.decode(bytes));
  }
  return {
    ...pckHead(decoders),
    encode: (value) => current.encode(value),
    check: (value) => current.check(value),
    toJSON: (value) => current.toJSON(value),
    fromJSON: (json) => current.fromJSON(json),
  };
}

/** Returns bytes in hexadecimal. */
function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
