/**
 * Code from schemas: standalone modules in JavaScript and TypeScript, packages in Go, regions of files that somebody keeps.
 *
 * @module
 */
import { invalidArgument } from "../../bytes/errors.js";
import { ownOption } from "../../bytes/options.js";
import type { Struct } from "../model/model.js";
import { type AnySchema, Schema } from "../schema/schema.js";
import type { Bundle } from "../schemas.js";
import { isOneSchema, modelOf, type SchemaInput, toModel } from "../to-model.js";
import { type EmittedFile, emitJavaScript, type JavaScriptOptions } from "./javascript/emit.js";
import { javaScriptSettings } from "./javascript/settings.js";
import { versionsOf } from "./older.js";

export {
  emitGo,
  type GoFactory,
  type GoFieldType,
  type GoOptions,
  type GoPlace,
  type GoSubject,
} from "./go/index.js";
export type { EmittedFile, JavaScriptOptions } from "./javascript/emit.js";
export type { OlderSchemas } from "./older.js";
export { type RegionData, type RenderRegion, refreshRegions } from "./regions/engine.js";
export {
  emitRegions,
  type GoRegionOptions,
  type JavaScriptRegionOptions,
  type RegionOptions,
} from "./regions/index.js";

/**
 * The files of a module that encodes and decodes: its interfaces, `encodeX`, `encodeXInto`, `encodeXShared`, `sizeX` and
 * `decodeX` for each schema, which is one, a document, or a bundle, by whose names they go. The same schemas give the same text.
 * `from` adds functions that decode the bytes of older schemas.
 * `ERR_SCHEMA` for names that JavaScript cannot have and for an older schema that cannot be read as the new one, `ERR_INVALID_ARGUMENT` for an option that makes no sense.
 *
 * @example
 * for (const { path, text } of emit(Player, { target: "ts" })) writeFileSync(path, text);
 */
export function emit(schemas: SchemaInput | Bundle, options: JavaScriptOptions): readonly EmittedFile[] {
  const settings = javaScriptSettings(options);
  const from = ownOption(options, "from");
  const names = new Map<Struct, string>();
  if (isOneSchema(schemas)) {
    const model = toModel(schemas);
    names.set(model.root, model.root.name);
    return emitJavaScript(model, names, settings, versionsOf(from, names));
  }
  const entries = Object.entries(schemas);
  for (const [, schema] of entries)
    if (!(schema instanceof Schema)) throw invalidArgument("a bundle consists of schemas");
  if (entries.length === 0) throw invalidArgument("a bundle of no schemas");
  const model = modelOf(entries.map(([, schema]) => schema));
  const structs = new Map<AnySchema, Struct>(model.structs.map((struct) => [struct.schema, struct]));
  for (const [name, schema] of entries) names.set(structs.get(schema)!, name);
  return emitJavaScript(model, names, settings, versionsOf(from, names));
}
