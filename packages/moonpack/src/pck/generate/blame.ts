/** Where code that trusts its values looks at them nevertheless: once it has failed. */
import { type MoonpackError, pathStep } from "../../bytes/errors.js";
import { objectOf } from "../../bytes/pack-values.js";
import { within } from "../../bytes/pack-writer.js";
import { isOwnOnly } from "../codec/holders.js";

/**
 * What the writer of a struct throws when `error` was met at the path `at` of its value: what a value is that is no object is
 * said of it itself, as closures do, and not of the first property that was read from it. `inlined`: the structs in it that it
 * writes too, by the names that lead there, outer ones first.
 */
export function blame(
  error: unknown,
  at: string,
  value: object,
  inlined: readonly (readonly string[])[],
): MoonpackError {
  objectOf(value);
  for (const names of inlined) {
    const path = names.map(pathStep).join("");
    // The error is within this struct when a step follows.
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
