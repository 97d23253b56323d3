/** Bundles of schemas, and the conversion between schemas and documents. */

import { invalidArgument } from "moonpack/bytes";
import { type AnySchema, Schema } from "../schema/schema.js";
import { documentOf, parseDocument, type SchemaDocument, schemasOf } from "./document.js";
import { modelOf, type SchemaInput, toModel } from "./to-model.js";

/** Schemas by the names that they get in emitted code. */
export type Bundle = { readonly [name: string]: AnySchema };

/**
 * Returns a frozen copy of several schemas, for `emit`, once they are checked. Throws `ERR_INVALID_ARGUMENT` for a value that is
 * not a schema, `ERR_SCHEMA` for a schema that is not valid.
 *
 * @example
 * const game = bundle({ Player, World });
 */
export function bundle<const Schemas extends Bundle>(schemas: Schemas): Readonly<Schemas> {
  if (typeof schemas !== "object" || schemas === null) throw invalidArgument(NO_BUNDLE);
  const given = Object.values(schemas);
  if (given.length === 0) throw invalidArgument("a bundle must contain a schema");
  for (const schema of given) {
    if (!(schema instanceof Schema)) throw invalidArgument(NO_BUNDLE);
  }
  modelOf(given);
  return Object.freeze({ ...schemas });
}

const NO_BUNDLE = "a bundle must be an object of schemas: `bundle({ Player })`";

/** Returns the document of a schema: JSON for files, containers and other languages. Throws `ERR_SCHEMA`. */
export function toDocument(schema: SchemaInput): SchemaDocument {
  return documentOf(toModel(schema));
}

/**
 * Returns the schema of a document, given as an object or as JSON text. Throws `ERR_SCHEMA` for an invalid document; documents
 * may come from untrusted sources.
 *
 * @example
 * const players = codec(fromDocument(await (await fetch("player.json")).text()));
 */
export function fromDocument(document: SchemaDocument | string): AnySchema {
  const schemas = schemasOf(typeof document === "string" ? parseDocument(document) : document);
  modelOf(schemas);
  return schemas[0];
}
