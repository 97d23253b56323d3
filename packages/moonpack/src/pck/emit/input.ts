/** What emitters take: a schema, a document, or a bundle with the names of its structs. */
import { schemaError } from "../model/errors.js";
import type { Model, Struct } from "../model/model.js";
import { type AnySchema, Schema } from "../schema/schema.js";
import type { Bundle } from "../schemas.js";
import { isOneSchema, modelOf, type SchemaInput, toModel } from "../to-model.js";

/** A model, and the names that were given to structs. */
export interface EmitInput {
  readonly model: Model;
  readonly given: ReadonlyMap<Struct, string>;
}

/** The model of what an emitter takes. `ERR_SCHEMA` for what is no schema. */
export function inputOf(schemas: SchemaInput | Bundle): EmitInput {
  if (isOneSchema(schemas)) return { model: toModel(schemas), given: new Map() };
  const entries = Object.entries(schemas);
  if (entries.length === 0) throw schemaError("", "no schemas");
  for (const [name, schema] of entries) {
    if (!(schema instanceof Schema)) throw schemaError(name, "no schema");
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

/** The structs that messages are of, with their names: those that were named, or the root. */
export function rootsOf({ model, given }: EmitInput): ReadonlyMap<Struct, string> {
  return given.size > 0 ? given : new Map([[model.root, model.root.name]]);
}
