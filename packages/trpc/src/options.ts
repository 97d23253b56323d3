/** Options of this package beside options of tRPC. Only own properties count, and each is read once. */
import { invalidArgument, ownOptions, suggestion } from "moonpack/bytes";

/**
 * Returns a copy of options, some of which are tRPC's and pass through with their names. Throws `ERR_INVALID_ARGUMENT` for an unknown
 * name that is similar to one of `names`, the options of this package.
 */
export function copyMixedOptions<O extends object>(options: O, names: readonly string[]): O {
  const given = ownOptions<O>(options);
  for (const name of Object.getOwnPropertyNames(given)) {
    const hint = names.includes(name) ? "" : suggestion(name, names);
    if (hint !== "") throw invalidArgument(`${JSON.stringify(name)} is not a known option${hint}`);
  }
  return given;
}
