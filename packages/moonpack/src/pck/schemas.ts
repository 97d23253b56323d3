/** Schemas together, and as documents. */
import { documentOf, type SchemaDocument, schemasOf } from "./document.js";
import { schemaError } from "./model/errors.js";
import { type AnySchema, Schema } from "./schema/schema.js";
import { modelOf, type SchemaInput, toModel } from "./to-model.js";

/** Schemas by the names that emitted code gives them. */
export type Bundle = { readonly [name: string]: AnySchema };

/**
 * Schemas that belong together, for `emit`: looked at, and frozen. `ERR_SCHEMA` for one that is not valid.
 *
 * @example
 * const game = bundle({ Player, World });
 */
export function bundle<const Schemas extends Bundle>(schemas: Schemas): Readonly<Schemas> {
  if (typeof schemas !== "object" || schemas === null) throw schemaError("", NO_BUNDLE);
  const given = Object.values(schemas);
  if (given.length === 0) throw schemaError("", "a bundle of no schemas");
  for (const schema of given) {
    if (!(schema instanceof Schema)) throw schemaError("", NO_BUNDLE);
  }
  modelOf(given);
  return Object.freeze({ ...schemas });
}

const NO_BUNDLE = "a bundle is an object of schemas: `bundle({ Player })`";

/** The schema as a document: JSON, for stores, containers and other languages. */
export function toDocument(schema: SchemaInput): SchemaDocument {
  return documentOf(toModel(schema));
}

/**
 * The schema of a document: an object, or its text. `ERR_SCHEMA` for what is none; documents may come from anywhere.
 *
 * @example
 * const players = codec(fromDocument(await (await fetch("player.json")).text()));
 */
export function fromDocument(document: SchemaDocument | string): AnySchema {
  let json: unknown = document;
  if (typeof document === "string") {
    try {
      json = JSON.parse(document);
    } catch (cause) {
      throw schemaError("", "a schema document is JSON", cause);
    }
  }
  const schemas = schemasOf(json);
  modelOf(schemas);
  return schemas[0];
}
