/** Error reporting for `validate: false`: values are checked only after a failure. */
import { type MoonpackError, pathStep } from "moonpack/bytes";
import { isOwnOnly } from "../closures/value-access.js";
import { objectOf } from "../runtime/value-kinds.js";
import { within } from "../runtime/writer.js";

/**
 * Returns the error for a struct whose writer failed with `error` at the path `at`. If a value is not an object, the
 * error names that value, as it does with closures, and not the first property that was read from it. `inlined`: the
 * structs that the same function writes, each as the names that lead to it, outer structs first.
 */
export function locateError(
  error: unknown,
  at: string,
  value: object,
  inlined: readonly (readonly string[])[],
): MoonpackError {
  objectOf(value);
  for (const names of inlined) {
    const path = names.map(pathStep).join("");
    // The error is within this struct if a step follows.
    if (!at.startsWith(path) || !/^[.[]/.test(at.slice(path.length))) continue;
    try {
      objectOf(names.reduce(property, value));
    } catch (refusal) {
      return within(refusal, path);
    }
  }
  return within(error, at);
}

function property(value: object, name: string): object {
  return (isOwnOnly(name) && !Object.hasOwn(value, name) ? undefined : Reflect.get(value, name)) as object;
}
