// What judges share: when values are the same, and what kind an outcome is of.
import { isDeepStrictEqual } from "node:util";
import { MoonpackError } from "moonpack/bytes";

/** Throws unless the values are the same. */
export function same(a, b, what) {
  if (!isDeepStrictEqual(a, b)) throw new Error(`${what}: the value does not come back`);
}

/** What `act` answers, or the kind of our own error that it throws; anything else is thrown on. */
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

/** What a value is, roughly: its type, and how many members it has. */
export function kindOf(value) {
  const members = typeof value === "object" && value !== null ? Math.min(9, Object.keys(value).length) : "";
  return `${Object.prototype.toString.call(value)}${members}`;
}
