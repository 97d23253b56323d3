/** Emitted code in regions of hand-written files. */
import { choiceOption, invalidArgument, ownOptions, refuseUnknown } from "moonpack/bytes";
import type { Bundle } from "../../document/schemas.js";
import type { SchemaInput } from "../../document/to-model.js";
import { COMMON_OPTIONS, type GoOptions, goSettings } from "../go/options.js";
import { inputOf } from "../input.js";
import type { JavaScriptOptions } from "../javascript/emit.js";
import { javaScriptSettings } from "../javascript/settings.js";
import { packageOf } from "./go/imports.js";
import { GoRegions } from "./go/regions.js";
import { JavaScriptRegions } from "./javascript/regions.js";
import { type RegionData, refreshRegions } from "./refresh.js";
import type { RegionWriter } from "./region-writer.js";

/** Options for regions of JavaScript and TypeScript. */
export interface JavaScriptRegionOptions extends Omit<JavaScriptOptions, "name"> {
  /** `"commonjs"`, for JavaScript only: uses `require` and exports nothing. Default `"esm"`. */
  readonly module?: "esm" | "commonjs";
}

/** Options for regions of Go. The package is the one that the file declares. */
export interface GoRegionOptions extends Omit<GoOptions, "package" | "file"> {
  /** The language. */
  readonly target: "go";
}

/** Options of {@link emitRegions}. */
export type RegionOptions = JavaScriptRegionOptions | GoRegionOptions;

/**
 * Emits code into the regions of `text`, a hand-written file. The lines between `pck:emit("..")` and `pck:end` are
 * replaced; everything else stays. If nothing changed, the returned text equals `text`. See {@link refreshRegions}
 * for the comments, and docs/pck.md for the types of regions.
 *
 * Throws `ERR_INVALID_ARGUMENT` or `ERR_SCHEMA` with the line of a broken or unknown region.
 *
 * @example
 * const text = readFileSync("player.ts", "utf8");
 * writeFileSync("player.ts", emitRegions(text, Player, { target: "ts" }));
 */
export function emitRegions(text: string, schemas: SchemaInput | Bundle, options: RegionOptions): string {
  const all: RegionData[] = [];
  const own = refreshRegions(text, (_type, data) => {
    all.push(data);
    return "";
  });
  const writer = writerFor(schemas, options, all, own);
  refreshRegions(text, (type, data) => {
    writer.add(type, data);
    return "";
  });
  let texts: readonly string[] | undefined;
  let next = 0;
  return refreshRegions(text, () => (texts ??= writer.texts())[next++]!);
}

function writerFor(
  schemas: SchemaInput | Bundle,
  options: RegionOptions,
  all: readonly RegionData[],
  own: string,
): RegionWriter {
  const given = ownOptions(options);
  if (given.target === "go") {
    const { target: _, ...goOptions } = given as GoRegionOptions;
    refuseUnknown(given, ["target", ...COMMON_OPTIONS]);
    const settings = goSettings({ ...goOptions, package: packageOf(own) });
    return new GoRegions(inputOf(schemas), settings, all, own);
  }
  const settings = javaScriptSettings(given as JavaScriptOptions, "module");
  const module = choiceOption("module", (given as JavaScriptRegionOptions).module, ["esm", "commonjs"]);
  if (module === "commonjs" && settings.target === "ts") throw invalidArgument('module must be "esm" for TypeScript');
  return new JavaScriptRegions(inputOf(schemas), { ...settings, module }, own);
}
