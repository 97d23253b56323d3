/** Error codes of this package. Errors are MoonpackErrors, whose codes are stable. */
import type { PackageErrorCode } from "moonpack/bytes";

/** An error code of this package. */
export type LoadErrorCode = Extract<PackageErrorCode, `ERR_LOAD_${string}`>;

/**
 * The error codes of this package, each with its meaning in one line.
 *
 * @example
 * console.log(LOAD_ERROR_CODES.ERR_LOAD_REFUSED);
 */
export const LOAD_ERROR_CODES: Readonly<Record<LoadErrorCode, string>> = {
  ERR_LOAD_REFUSED: "nothing listens at the target's address: each connection was refused; see cause",
};
