/** From what callers have, a schema or a document, to a model: built once, with its defaults looked at. */
import { MoonpackError } from "../bytes/errors.js";
import { DEFAULT_MAX_DEPTH } from "../bytes/limits.js";
import { PackReader } from "../bytes/pack-reader.js";
import { PackWriter } from "../bytes/pack-writer.js";
import { fromJson } from "./codec/json.js";
import { absenceOf, absentValueOf } from "./codec/presence.js";
import { DecoderCompiler } from "./codec/read.js";
import { codecSettings } from "./codec/settings.js";
import { EncoderCompiler } from "./codec/write.js";
import { type SchemaDocument, schemasOf } from "./document.js";
import { build, type OpenMember, whereIs } from "./model/build.js";
import { schemaError } from "./model/errors.js";
import type { Model } from "./model/model.js";
import { JsonDefault } from "./schema/field.js";
import { type AnySchema, Schema } from "./schema/schema.js";

/** A schema, or its document. */
export type SchemaInput<Out = unknown, In = never> = Schema<Out, In> | SchemaDocument;

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
  const model = build(roots);
  for (const struct of model.structs) {
    for (const member of struct.members) {
      if (member.hasDefault) settleDefault(member, whereIs(struct, member));
    }
  }
  return model;
}

/** A default counts as what it is read back as once it was written. */
function settleDefault(member: OpenMember, where: string): void {
  const settings = codecSettings(undefined);
  const { type, fallback } = member;
  try {
    const value = fallback instanceof JsonDefault ? jsonDefault(member, fallback.json) : fallback;
    if (member.isOptional && absenceOf(member, settings)(value)) {
      member.fallback = absentValueOf(member, settings)();
      return;
    }
    const writer = new PackWriter(64, DEFAULT_MAX_DEPTH);
    new EncoderCompiler(settings).put(type)(writer, value, 1);
    const reader = new PackReader(writer.bytes.slice(0, writer.pos), 0, DEFAULT_MAX_DEPTH);
    member.fallback = new DecoderCompiler(settings).get(type)(reader, 1);
  } catch (cause) {
    const why = cause instanceof MoonpackError ? cause.message : "see cause";
    throw schemaError(where, `the default is no value of the field: ${why}`, cause);
  }
}

function jsonDefault(member: OpenMember, json: unknown): unknown {
  return json === null && member.omit.has("null") ? null : fromJson(member.type, json, DEFAULT_MAX_DEPTH);
}
