import { invalidArgument } from "../bytes/errors.js";
import { ownOption } from "../bytes/options.js";

/** Reads the option `onError`; null for "throw". `ERR_INVALID_ARGUMENT` unless it is "throw" or a function. */
export function errorOption<F>(options: object | undefined): F | null {
  const value = ownOption(options, "onError");
  if (value === undefined || value === "throw") return null;
  if (typeof value === "function") return value as F;
  throw invalidArgument('onError must be "throw" or a function');
}
