/** Reads options: own properties only, so that a polluted Object.prototype changes nothing. */
import { invalidArgument } from "../errors.js";

/** An options argument; undefined becomes an empty one. */
export function optionsObject(options: unknown): object {
  if (options === undefined) return {};
  if (typeof options === "object" && options !== null && !Array.isArray(options)) return options;
  throw invalidArgument("options must be an object");
}

/** One option. */
export function ownOption(options: object, name: string): unknown {
  return Object.hasOwn(options, name) ? (options as Record<string, unknown>)[name] : undefined;
}

/** An option that is a whole number from `least` to `most`. */
export function countOption(name: string, value: unknown, fallback: number, least: number, most: number): number {
  if (value === undefined) return fallback;
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
  throw invalidArgument(`${name} must be a whole number from ${least} to ${most}`);
}

/** A copy of options with own properties only. `ERR_INVALID_ARGUMENT` if it is no object. */
export function ownOptions<Options extends object>(options: Options): Options {
  return Object.assign(Object.create(null) as Options, optionsObject(options));
}
