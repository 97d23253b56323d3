/** Returns the schemas and the model of a schema or document. The model of a schema is built once. */

import { describe, invalidArgument } from "moonpack/bytes";
import { DefaultNormalizer } from "../defaults/normalize.js";
import { isJsonObject } from "../json/values.js";
import { build } from "../model/build.js";
import type { Model } from "../model/model.js";
import { type AnySchema, Schema } from "../schema/schema.js";
import { type SchemaDocument, schemasOf } from "./document.js";

/** A schema, or its document. */
export type SchemaInput<Out = unknown, In = never> = Schema<Out, In> | SchemaDocument;

/**
 * True for a schema or a document, false for a bundle. True also for a value that is not an object, which {@link toModel} rejects.
 */
export function isOneSchema(input: unknown): input is SchemaInput {
  if (typeof input !== "object" || input === null || input instanceof Schema) return true;
  return Object.hasOwn(input, "pck") && !((input as { readonly pck: unknown }).pck instanceof Schema);
}

// Schemas never change, so that their models can be kept.
const models = /* @__PURE__ */ new WeakMap<AnySchema, Model>();

/**
 * Returns the schema itself, or the schemas of a document, its root first. Throws `ERR_INVALID_ARGUMENT`, with the argument's
 * name, for a value of another type, `ERR_SCHEMA` for an object that is not a valid document.
 */
export function schemasOfInput(input: unknown, name = "schema"): readonly [AnySchema, ...AnySchema[]] {
  if (input instanceof Schema) return [input as AnySchema];
  if (isJsonObject(input)) return schemasOf(input);
  throw invalidArgument(`${name} must be a schema or a schema document, not ${describe(input)}`);
}

/**
 * Returns the model of a schema or document. Throws `ERR_SCHEMA` for one that is not valid, `ERR_INVALID_ARGUMENT` for another
 * type of value.
 */
export function toModel(input: SchemaInput, name?: string): Model {
  if (!(input instanceof Schema)) return modelOf(schemasOfInput(input, name));
  const known = models.get(input as AnySchema);
  if (known !== undefined) return known;
  const model = modelOf([input as AnySchema]);
  models.set(input as AnySchema, model);
  return model;
}

/** Returns the model of several schemas; the first is its root. Throws `ERR_SCHEMA` for one that is not valid. */
export function modelOf(roots: readonly AnySchema[]): Model {
  const { model, defaults } = build(roots);
  if (defaults.length === 0) return model;
  const normalizer = new DefaultNormalizer();
  for (const { member, where } of defaults) normalizer.normalize(member, where);
  return model;
}
