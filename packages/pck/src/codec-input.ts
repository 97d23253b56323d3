/** The schema argument of functions that write many values: a schema, or a codec that exists already. */
import { Codec, codec } from "./codec.js";
import type { SchemaInput } from "./document/to-model.js";
import type { CodecOptions } from "./settings.js";

/** A schema, its document, or its codec. */
export type CodecInput<Out = unknown, In = never> = SchemaInput<Out, In> | Codec<Out, In>;

/** Returns a given codec as it is; makes a codec of a schema, with these options. */
export function codecOf<Out, In>(input: CodecInput<Out, In>, options?: CodecOptions): Codec<Out, In> {
  return input instanceof Codec ? input : codec(input, options);
}
