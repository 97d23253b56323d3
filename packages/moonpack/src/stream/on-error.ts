import { invalidArgument } from "../bytes/errors.js";
import { ownOption } from "../bytes/options.js";

/** Reads an option for errors; null for "throw". `ERR_INVALID_ARGUMENT` unless it is "throw" or a function. */
export function errorOption<F>(options: object | undefined, name: "onError" | "undecodable" = "onError"): F | null {
  const value = ownOption(options, name);
  if (value === undefined || value === "throw") return null;
  if (typeof value === "function") return value as F;
  throw invalidArgument(`${name} must be "throw" or a function`);
}
