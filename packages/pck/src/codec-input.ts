/** The schema argument of functions that write many values: a schema, or a codec that exists already. */
import { Codec, codec } from "./codec.js";
import type { SchemaInput } from "./document/to-model.js";
import { type CodecOptions, codecSettings } from "./settings.js";

/** A schema, its document, or its codec. */
export type CodecInput<Out = unknown, In = never> = SchemaInput<Out, In> | Codec<Out, In>;

/** Returns a codec as it is, or creates one of a schema, with these options. Throws for an unknown or invalid option. */
export function codecOf<Out, In>(input: CodecInput<Out, In>, options?: CodecOptions): Codec<Out, In> {
  if (!(input instanceof Codec)) return codec(input, options);
  codecSettings(options);
  return input;
}
