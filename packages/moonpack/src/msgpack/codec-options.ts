import { refuseNames } from "#runtime";
import { optionsObject } from "../bytes/options.js";
import { codecOptionNames } from "./options.js";

/**
 * Copies a stream's options without the stream's own `names`. The result are the options of its codec. Each codec option is read
 * once; the stream's own options are not read. Undefined stays undefined. Throws `ERR_INVALID_ARGUMENT` for anything but an object,
 * and for an unknown name: here, since only here the names of both are known, for the suggestion.
 */
export function codecOptions<T extends object>(options: T | undefined, names: readonly string[]): T | undefined {
  if (options !== undefined) refuseNames(optionsObject(options), [...names, ...codecOptionNames()]);
  return optionsWithout(options, names);
}

/** Copies options without some names. Undefined stays undefined. */
export function optionsWithout<T extends object>(options: T | undefined, names: readonly string[]): T | undefined {
  if (options === undefined) return undefined;
  const rest = Object.create(null) as T;
  for (const name of Object.getOwnPropertyNames(options) as (string & keyof T)[]) {
    if (!names.includes(name)) rest[name] = options[name];
  }
  return rest;
}
