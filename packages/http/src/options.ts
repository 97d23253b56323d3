/** Reading options: own properties only, each once. */
import { MoonpackError } from "moonpack/bytes";
import { own } from "./own.js";

/** The error for an invalid argument or option. */
export function invalidArgument(message: string, cause?: unknown): MoonpackError {
  return new MoonpackError("ERR_INVALID_ARGUMENT", message, cause);
}

/** A copy of an options object that inherits nothing; undefined becomes an empty one. `ERR_INVALID_ARGUMENT` otherwise. */
export function ownOptions<T extends object>(options: T | undefined): T {
  if (options !== undefined && (typeof options !== "object" || options === null))
    throw invalidArgument("options must be an object");
  return own(options);
}

/** Checks a limit: a whole number of bytes, or Infinity. */
export function limitOption(name: string, value: number | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  if (value === Infinity || (Number.isSafeInteger(value) && value >= 1)) return value;
  throw invalidArgument(`${name} must be a whole number from 1 up, or Infinity`);
}

/** Reads a property of an object that was made from foreign data. */
export function ownProperty(object: unknown, name: string): unknown {
  return typeof object === "object" && object !== null && Object.hasOwn(object, name)
    ? (object as Record<string, unknown>)[name]
    : undefined;
}
