import { MoonpackError } from "moonpack/bytes";

/** Returns the error `ERR_SCHEMA`. `where`: the struct, or the struct and its field; "" for none. */
export function schemaError(where: string, text: string, cause?: unknown): MoonpackError {
  return new MoonpackError("ERR_SCHEMA", where === "" ? text : `${where}: ${text}`, cause);
}
