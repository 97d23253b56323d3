/** Containers whose bytes are there (docs/pck-format.md, "Container"). */
import type { BytesInput } from "../../bytes/input.js";
import type { CodecInput } from "../codec-input.js";
import type { SchemaDocument } from "../document.js";
import type { AnySchema } from "../schema/schema.js";
import type { ContainerOptions, ReadOptions } from "./options.js";
import { ContainerReader } from "./reader.js";
import { ContainerWriter } from "./writer.js";

/** What a container holds. */
export interface Container<Out = unknown> {
  /** The schema's document, as it stands in the container. */
  readonly document: SchemaDocument;
  /** The schema that it says: what the values were written with. */
  readonly schema: AnySchema;
  readonly values: Out[];
}

/**
 * The values as a container: its bytes say their own schema, so that they can be read without it, and later. Errors as
 * {@link ContainerWriter}.
 *
 * @example
 * await writeFile("players.pck", encodeContainer(Player, players));
 */
export function encodeContainer<In>(
  schema: CodecInput<unknown, In>,
  values: Iterable<In>,
  options?: ContainerOptions,
): Uint8Array<ArrayBuffer> {
  const writer = new ContainerWriter(schema, options);
  for (const value of values) writer.add(value);
  return writer.take();
}

/**
 * What a container holds. Every failure has its code and, but for `ERR_SCHEMA`, its offset in the whole.
 *
 * @example
 * const { values } = decodeContainer(await readFile("players.pck"), { reader: Player }); // of older schemas of Player, too
 */
export function decodeContainer<Out = unknown>(input: BytesInput, options?: ReadOptions<Out>): Container<Out> {
  const reader = new ContainerReader<Out>(options);
  const values = [...reader.push(input)];
  reader.end();
  const { document, schema } = reader.head!;
  return { document, schema, values };
}
