import { optionsObject } from "../bytes/options.js";

/**
 * A copy of a stream's options without the names that the stream reads itself: the options of its codec, which refuses names that it
 * does not know. Each option is read once, and those of the stream are not read. Undefined stays undefined. Throws
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
