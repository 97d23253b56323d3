/** The options of emitted JavaScript and TypeScript. */
import { invalidArgument } from "../../../bytes/errors.js";
import { DEPTH_RULE } from "../../../bytes/limits.js";
import { optionsObject, ownOption, readOptions } from "../../../bytes/options.js";
import type { JavaScriptOptions } from "./emit.js";

const RULES = {
  target: ["ts", "js"],
  int64: ["bigint", "number"],
  maps: ["map", "object"],
  typedArrays: [false, true],
  binary: ["copy", "view"],
  maxDepth: DEPTH_RULE,
} as const;

/** The options, each checked or its default; `name` and `runtime` only if they are given. `ERR_INVALID_ARGUMENT` names the first that makes no sense. */
export function javaScriptSettings(options: JavaScriptOptions): JavaScriptOptions {
  const settings = readOptions(RULES, optionsObject(options)) as unknown as JavaScriptOptions;
  return { ...settings, ...textOption(options, "name"), ...textOption(options, "runtime") };
}

function textOption(options: JavaScriptOptions, name: "name" | "runtime"): { readonly [name: string]: string } {
  const text: unknown = ownOption(options, name);
  if (text === undefined) return {};
  // What gets into paths and imports.
  if (typeof text !== "string" || !/^[\w@./-]+$/.test(text)) throw invalidArgument(`${name} must be a name or a path`);
  return { [name]: text };
}
