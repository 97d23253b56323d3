/** The options of emitted JavaScript and TypeScript. */

import { invalidArgument, optionsObject, ownOption, readOptions, refuseUnknown } from "moonpack/bytes";
import { SHARED_RULES } from "../../settings.js";
import type { JavaScriptOptions } from "./emit.js";

/**
 * Checks the options and adds defaults. `name` and `runtime` stay absent if they were not given. `other`: an option
 * besides the common ones. Throws `ERR_INVALID_ARGUMENT` for the first unknown or invalid option.
 */
export function javaScriptSettings(options: JavaScriptOptions, other: "name" | "module"): JavaScriptOptions {
  const given = optionsObject(options);
  refuseUnknown(given, [
    "target",
    ...Object.keys(SHARED_RULES),
    "runtime",
    "older",
    other,
    ...(other === "name" ? ["picks"] : []),
  ]);
  const target = ownOption(given, "target");
  if (target !== "ts" && target !== "js") throw invalidArgument('target must be "ts" or "js"');
  return {
    target,
    ...readOptions(SHARED_RULES, given),
    ...textOption(options, "name"),
    ...textOption(options, "runtime"),
  };
}

function textOption(options: JavaScriptOptions, name: "name" | "runtime"): { readonly [name: string]: string } {
  const text: unknown = ownOption(options, name);
  if (text === undefined) return {};
  // These texts become parts of paths and imports.
  if (typeof text !== "string" || !/^[\w@./-]+$/.test(text)) throw invalidArgument(`${name} must be a name or a path`);
  return { [name]: text };
}
