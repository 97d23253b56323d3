// Shared by the checks: equality of values, and the kind of an outcome.
import { isDeepStrictEqual } from "node:util";
import { MoonpackError } from "moonpack/bytes";

/** Throws unless the values are equal. */
export function same(a, b, what) {
  if (!isDeepStrictEqual(a, b)) throw new Error(`${what}: the value reads back different`);
}

/** Returns the result of `act`, or the kind of our own error that it throws. Other errors are passed on. */
export function outcome(act, length, found) {
  let value;
  try {
    value = act();
  } catch (error) {
    if (!(error instanceof MoonpackError)) throw error;
    const { code, offset, needMore } = error;
    if (!(offset >= 0 && offset <= length)) throw new Error(`${code} with offset ${offset}`, { cause: error });
    if (needMore > 0 !== (code === "ERR_TRUNCATED"))
      throw new Error(`${code} with needMore ${needMore}`, { cause: error });
    return `${code} ${Math.min(offset, 6)}`;
  }
  return found(value);
}

/** The rough kind of a value: its type and number of members. */
export function kindOf(value) {
  const members = typeof value === "object" && value !== null ? Math.min(9, Object.keys(value).length) : "";
  return `${Object.prototype.toString.call(value)}${members}`;
}
