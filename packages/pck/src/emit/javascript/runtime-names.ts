import * as runtime from "../../runtime/functions.js";
import * as picks from "../../runtime/picks.js";

/** Every name that emitted code may import. */
export function runtimeNames(): readonly string[] {
  return [...Object.keys(runtime), ...Object.keys(picks), "BytesInput", "PackWriter"]; // types, which are not keys of the module
}
