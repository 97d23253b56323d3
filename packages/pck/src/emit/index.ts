/**
 * Code from schemas: standalone modules in JavaScript and TypeScript, packages in Go, and regions of hand-written
 * files.
 *
 * @module
 */
import { ownOption } from "moonpack/bytes";
import type { Bundle } from "../document/schemas.js";
import type { SchemaInput } from "../document/to-model.js";
import { inputOf, rootsOf } from "./input.js";
import { type EmittedFile, emitJavaScript, type JavaScriptOptions } from "./javascript/emit.js";
import { javaScriptSettings } from "./javascript/settings.js";
import { versionsOf } from "./older-schemas/versions.js";
import { picksOf } from "./picks/picks.js";

export type { Path } from "../pick/paths.js";
export {
  emitGo,
  type GoFactory,
  type GoFieldType,
  type GoOptions,
  type GoPlace,
  type GoSubject,
} from "./go/index.js";
export type { EmittedFile, JavaScriptOptions } from "./javascript/emit.js";
export type { OlderSchemas } from "./older-schemas/versions.js";
export type { EmittedPicks } from "./picks/picks.js";
export {
  emitRegions,
  type GoRegionOptions,
  type JavaScriptRegionOptions,
  type RegionOptions,
} from "./regions/index.js";
export { type RegionData, type RenderRegion, refreshRegions } from "./regions/refresh.js";
export { schemaSource } from "./schema/source.js";

/**
 * Emits the files of a module that encodes and decodes: interfaces, `encodeX`, `encodeXInto`, `encodeXShared`,
 * `sizeX` and `decodeX` for each schema. `schemas` is one schema, a document, or a bundle, whose keys name the
 * functions. The same schemas always give the same text. The option `older` adds functions that decode the bytes of
 * older schemas, the option `picks` functions that decode only some fields.
 *
 * Throws `ERR_SCHEMA` for a name that JavaScript cannot have and for an older schema that cannot be read as the new
 * one, `ERR_INVALID_ARGUMENT` for an unknown or invalid option.
 *
 * @example
 * for (const { path, text } of emit(Player, { target: "ts" })) writeFileSync(path, text);
 */
export function emit(schemas: SchemaInput | Bundle, options: JavaScriptOptions): readonly EmittedFile[] {
  const settings = javaScriptSettings(options, "name");
  const input = inputOf(schemas);
  const roots = rootsOf(input);
  const versions = versionsOf(ownOption(options, "older"), roots);
  return emitJavaScript(input.model, roots, settings, versions, picksOf(ownOption(options, "picks"), roots));
}
