/** What functions take that write many values of one schema: it, or a codec that is there already. */
import { Codec, codec } from "./codec/codec.js";
import type { CodecOptions } from "./codec/settings.js";
import type { SchemaInput } from "./to-model.js";

/** A schema, its document, or a codec of it. */
export type CodecInput<Out = unknown, In = never> = SchemaInput<Out, In> | Codec<Out, In>;

/** The codec that it is, as it is; else a new one with these options. */
export function codecOf<Out, In>(input: CodecInput<Out, In>, options?: CodecOptions): Codec<Out, In> {
  return input instanceof Codec ? input : codec(input, options);
}
