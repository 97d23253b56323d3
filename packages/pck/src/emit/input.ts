/** The input of emitters: a schema, a document, or a bundle that names its structs. */

import { invalidArgument } from "moonpack/bytes";
import type { Bundle } from "../document/schemas.js";
import { isOneSchema, modelOf, type SchemaInput, toModel } from "../document/to-model.js";
import type { Model, Struct } from "../model/model.js";
import { type AnySchema, Schema } from "../schema/schema.js";

/** A model, and the names that the caller gave to structs. */
export interface EmitInput {
  readonly model: Model;
  /** In the order of the caller. */
  readonly given: ReadonlyMap<Struct, string>;
}

/**
 * Returns the model of an emitter's input. Throws `ERR_INVALID_ARGUMENT` for a value that is not a schema, `ERR_SCHEMA` for an
 * invalid one.
 */
export function inputOf(schemas: SchemaInput | Bundle): EmitInput {
  if (isOneSchema(schemas)) return { model: toModel(schemas), given: new Map() };
  const entries = Object.entries(schemas);
  if (entries.length === 0) throw invalidArgument("a bundle must contain a schema");
  for (const [name, schema] of entries) {
    if (!(schema instanceof Schema))
      throw invalidArgument(`a bundle must contain only schemas: ${name} is not a schema`);
  }
  const model = modelOf(entries.map(([, schema]) => schema));
  const structs = new Map<AnySchema, Struct>(model.structs.map((struct) => [struct.schema, struct]));
  return { model, given: new Map(entries.map(([name, schema]) => [structs.get(schema)!, name])) };
}

/** Returns the root structs of messages and their names: the structs that the caller named, or else the model's root. */
export function rootsOf({ model, given }: EmitInput): ReadonlyMap<Struct, string> {
  return given.size > 0 ? given : new Map([[model.root, model.root.name]]);
}
