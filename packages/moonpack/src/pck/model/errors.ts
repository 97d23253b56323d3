import { MoonpackError } from "../../bytes/errors.js";

/** A schema that is not valid, or two that do not fit: `where` names the struct, and the field in it. */
export function schemaError(where: string, text: string, cause?: unknown): MoonpackError {
  return new MoonpackError("ERR_SCHEMA", where === "" ? text : `${where}: ${text}`, cause);
}
