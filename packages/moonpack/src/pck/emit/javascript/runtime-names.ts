import * as runtime from "../../generate/runtime.js";

/** The names of all that emitted code may import. */
export function emitted(): readonly string[] {
  return [...Object.keys(runtime), "BytesInput", "PackWriter"]; // types: no keys
}
