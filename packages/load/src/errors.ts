/** Errors of this package. They belong to moonpack's family, whose codes are stable. */
import type { PackageErrorCode } from "moonpack/bytes";

/** A code that only this package has. */
export type LoadErrorCode = Extract<PackageErrorCode, `ERR_LOAD_${string}`>;

/**
 * The codes that only this package has, each with its meaning in one line.
 *
 * @example
 * console.log(LOAD_ERROR_CODES.ERR_LOAD_REFUSED);
 */
export const LOAD_ERROR_CODES: Readonly<Record<LoadErrorCode, string>> = {
  ERR_LOAD_REFUSED: "nothing listens at the target's address: each connection was refused; see cause",
};
