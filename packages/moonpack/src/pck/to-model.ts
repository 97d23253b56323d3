/** From what callers have, a schema or a document, to a model: built once, with its defaults looked at. */

import { DefaultSettler } from "./defaults/settle.js";
import { type SchemaDocument, schemasOf } from "./document.js";
import { build } from "./model/build.js";
import type { Model } from "./model/model.js";
import { type AnySchema, Schema } from "./schema/schema.js";

/** A schema, or its document. */
export type SchemaInput<Out = unknown, In = never> = Schema<Out, In> | SchemaDocument;

/** Is it one schema, or meant to be its document? Else it is a bundle. What is no object is refused as a document. */
export function isOneSchema(input: unknown): input is SchemaInput {
  if (typeof input !== "object" || input === null || input instanceof Schema) return true;
  return Object.hasOwn(input, "pck") && !((input as { readonly pck: unknown }).pck instanceof Schema);
}

// What is known of schemas, which never change.
const models = /* @__PURE__ */ new WeakMap<AnySchema, Model>();

/** The model of a schema or document. `ERR_SCHEMA` for one that is not valid. */
export function toModel(input: SchemaInput): Model {
  if (!(input instanceof Schema)) return modelOf(schemasOf(input));
  const known = models.get(input as AnySchema);
  if (known !== undefined) return known;
  const model = modelOf([input as AnySchema]);
  models.set(input as AnySchema, model);
  return model;
}

/** The model of several schemas; the first is its root. */
export function modelOf(roots: readonly AnySchema[]): Model {
  const { model, defaults } = build(roots);
  if (defaults.length === 0) return model;
  const settler = new DefaultSettler();
  for (const { member, where } of defaults) settler.settle(member, where);
  return model;
}
