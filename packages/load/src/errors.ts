/** Errors of this package. They belong to moonpack's family, whose codes are stable. */
import { MoonpackError } from "moonpack/bytes";

/** The error for an invalid argument or option: its code is `ERR_INVALID_ARGUMENT`. */
export function invalidArgument(message: string, cause?: unknown): MoonpackError {
  return new MoonpackError("ERR_INVALID_ARGUMENT", message, cause);
}
