/** Emitted code in files that somebody keeps. */
import { invalidArgument } from "../../../bytes/errors.js";
import { choiceOption, optionsObject, ownOption } from "../../../bytes/options.js";
import type { Bundle } from "../../schemas.js";
import type { SchemaInput } from "../../to-model.js";
import { type GoOptions, goSettings } from "../go/options.js";
import { inputOf } from "../input.js";
import type { JavaScriptOptions } from "../javascript/emit.js";
import { javaScriptSettings } from "../javascript/settings.js";
import { type RegionData, refreshRegions } from "./engine.js";
import { packageOf } from "./go/imports.js";
import { GoRegions } from "./go/regions.js";
import { JavaScriptRegions } from "./javascript/regions.js";
import type { RegionWriter } from "./writer.js";

/** Options for regions of JavaScript and TypeScript. */
export interface JavaScriptRegionOptions extends Omit<JavaScriptOptions, "name"> {
  /** `"commonjs"`, for JavaScript: `require`, and nothing is exported. Default `"esm"`. */
  readonly module?: "esm" | "commonjs";
}

/** Options for regions of Go; the package is the file's. */
export interface GoRegionOptions extends Omit<GoOptions, "package" | "file"> {
  readonly target: "go";
}

/** How regions are emitted. */
export type RegionOptions = JavaScriptRegionOptions | GoRegionOptions;

/**
 * Emits code into the regions of `text`, a file that somebody keeps: what lies between `pck:emit("..")` and `pck:end` is
 * written anew, all else stays as it is, and so does the whole file when nothing has changed. See {@link refreshRegions} for
 * the comments, and docs/pck.md for what there is to emit. `ERR_INVALID_ARGUMENT` or `ERR_SCHEMA` names the line of a region
 * that is broken or unknown.
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
  const given = optionsObject(options);
  if (ownOption(given, "target") === "go") {
    const settings = goSettings({ ...(given as GoRegionOptions), package: packageOf(own) });
    return new GoRegions(inputOf(schemas), settings, all, own);
  }
  const settings = javaScriptSettings(options as JavaScriptOptions);
  const module = choiceOption("module", ownOption(given, "module"), ["esm", "commonjs"]) as "esm" | "commonjs";
  if (module === "commonjs" && settings.target === "ts") throw invalidArgument("TypeScript has modules of its own");
  return new JavaScriptRegions(inputOf(schemas), { ...settings, module }, own);
}
