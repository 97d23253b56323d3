/** Reading options: own properties only, each read once. */
import { MoonpackError } from "moonpack/bytes";

/** The error for an invalid argument or option. */
export function invalidArgument(message: string, cause?: unknown): MoonpackError {
  return new MoonpackError("ERR_INVALID_ARGUMENT", message, cause);
}

/** Checks that an options argument is an object; undefined becomes an empty one. */
export function optionsObject(options: unknown, name = "options"): object {
  if (options === undefined) return {};
  if (typeof options === "object" && options !== null && !Array.isArray(options)) return options;
  throw invalidArgument(`${name} must be an object`);
}

/** Reads one option. Properties of a polluted Object.prototype do not count. */
export function ownOption(options: object, name: string): unknown {
  return Object.hasOwn(options, name) ? (options as Record<string, unknown>)[name] : undefined;
}

/** An integer from `min` to `max`; undefined becomes the default. */
export function countOption(name: string, value: unknown, fallback: number, min: number, max: number): number {
  if (value === undefined) return fallback;
  if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) return value as number;
  throw invalidArgument(`${name} must be an integer from ${min} to ${max}`);
}

/** True or false; undefined becomes false. */
export function flagOption(name: string, value: unknown): boolean {
  if (value === undefined || typeof value === "boolean") return value ?? false;
  throw invalidArgument(`${name} must be true or false`);
}

/** A text; undefined becomes the default. */
export function textOption(name: string, value: unknown, fallback: string): string {
  if (value === undefined) return fallback;
  if (typeof value === "string") return value;
  throw invalidArgument(`${name} must be a string`);
}
