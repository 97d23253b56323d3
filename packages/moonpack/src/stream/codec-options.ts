import { optionsObject } from "../bytes/options.js";

/**
 * Copies a stream's options without the stream's own names. The result are the options of its codec, which refuses unknown names.
 * Each codec option is read once; the stream's own options are not read. Undefined stays undefined. Throws
 * `ERR_INVALID_ARGUMENT` for anything but an object.
 */
export function codecOptions<T extends object>(options: T | undefined, names: readonly string[]): T | undefined {
  if (options === undefined) return undefined;
  const given = optionsObject(options) as T;
  const rest = Object.create(null) as T;
  for (const name of Object.getOwnPropertyNames(given) as (string & keyof T)[]) {
    if (!names.includes(name)) rest[name] = given[name];
  }
  return rest;
}
