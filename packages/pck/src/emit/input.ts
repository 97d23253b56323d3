/** The input of emitters: a schema, a document, or a bundle that names its structs. */

import type { Bundle } from "../document/schemas.js";
import { isOneSchema, modelOf, type SchemaInput, toModel } from "../document/to-model.js";
import { schemaError } from "../model/errors.js";
import type { Model, Struct } from "../model/model.js";
import { type AnySchema, Schema } from "../schema/schema.js";

/** A model, and the names that the caller gave to structs. */
export interface EmitInput {
  readonly model: Model;
  readonly given: ReadonlyMap<Struct, string>;
}

/** Returns the model of an emitter's input. Throws `ERR_SCHEMA` for a value that is not a schema. */
export function inputOf(schemas: SchemaInput | Bundle): EmitInput {
  if (isOneSchema(schemas)) return { model: toModel(schemas), given: new Map() };
  const entries = Object.entries(schemas);
  if (entries.length === 0) throw schemaError("", "expected at least one schema");
  for (const [name, schema] of entries) {
    if (!(schema instanceof Schema)) throw schemaError(name, "is not a schema");
  }
  const model = modelOf(entries.map(([, schema]) => schema));
  const names = new Map<AnySchema, string>(entries.map(([name, schema]) => [schema, name]));
  const given = new Map<Struct, string>();
  for (const struct of model.structs) {
    const name = names.get(struct.schema);
    if (name !== undefined) given.set(struct, name);
  }
  return { model, given };
}

/** Returns the root structs of messages and their names: the structs that the caller named, or else the model's root. */
export function rootsOf({ model, given }: EmitInput): ReadonlyMap<Struct, string> {
  return given.size > 0 ? given : new Map([[model.root, model.root.name]]);
}
