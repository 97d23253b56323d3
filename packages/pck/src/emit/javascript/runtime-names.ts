import * as runtime from "../../runtime/functions.js";

/** Every name that emitted code may import. */
export function runtimeNames(): readonly string[] {
  return [...Object.keys(runtime), "BytesInput", "PackWriter"]; // types, which are not keys of the module
}
