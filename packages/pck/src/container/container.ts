/** Encodes and decodes whole containers (docs/pck-format.md, "Framed messages and containers"). */
import {
  type BytesInput,
  countOption,
  DecodeError,
  ELEMENTS_RULE,
  type ElementBudget,
  grantElements,
  invalidArgument,
  MAX_LIST_ELEMENTS,
  ownOptions,
  toBytes,
} from "moonpack/bytes";
import type { CodecInput } from "../codec-input.js";
import type { SchemaDocument } from "../document/document.js";
import type { AnySchema } from "../schema/schema.js";
import type { ContainerOptions, ReadOptions } from "./options.js";
import { ContainerReader } from "./reader.js";
import { ContainerWriter } from "./writer.js";

/** The content of a container. */
export interface Container<Out = unknown> {
  /** The schema document, as the container has it. */
  readonly document: SchemaDocument;
  /** The schema of the document, with which the values were written. */
  readonly schema: AnySchema;
  /** The values, in order. */
  readonly values: Out[];
}

/**
 * Returns the values as a container: bytes that carry their own schema, so that any reader can decode them later.
 * Throws the errors of {@link ContainerWriter}.
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
  if (typeof Object(values)[Symbol.iterator] !== "function") throw invalidArgument("values must be iterable");
  for (const value of values) writer.add(value);
  return writer.take();
}

/**
 * Decodes a container. `maxElements` counts over all values, since all of them are kept. Errors are `DecodeError`s with
 * their offset in the container; `ERR_SCHEMA` has none.
 *
 * @example
 * const { values } = decodeContainer(await readFile("players.pck"), { reader: Player }); // also of older schemas
 */
export function decodeContainer<Out = unknown>(input: BytesInput, options?: ReadOptions<Out>): Container<Out> {
  const bytes = toBytes(input);
  const budget: ElementBudget = { elementsLeft: 0, elementsSpare: 0 };
  const given = ownOptions(options);
  const reader = new ContainerReader<Out>(given, budget);
  grantElements(budget, countOption("maxElements", given.maxElements, ...ELEMENTS_RULE), bytes.length);
  const values: Out[] = [];
  for (const value of reader.push(bytes)) {
    if (values.length === MAX_LIST_ELEMENTS)
      throw new DecodeError(
        "ERR_LIMIT_ELEMENTS",
        `more than ${MAX_LIST_ELEMENTS} values: read them one by one`,
        reader.valueAt,
      );
    values.push(value);
  }
  reader.end();
  const { document, schema } = reader.head!;
  return { document, schema, values };
}
