import { MoonpackError } from "moonpack/bytes";

/** Operations that are refused from the start before a run ends: all connections of a large run, and a moment more. */
const LEAST_REFUSALS = 1000;
/** Error codes for an address at which nothing listens. */
const REFUSED = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND"]);

/** True for an error that says that nothing listens at an address. */
export function isRefusal(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  try {
    const { code, errors } = error as { readonly code?: unknown; readonly errors?: unknown };
    if (REFUSED.has(code as string)) return true;
    // Node tries each address of a name, and throws an AggregateError.
    return Array.isArray(errors) && errors.length > 0 && errors.every(isRefusal);
  } catch {
    return false; // a getter of the target's may throw
  }
}

/** The error of a target at which nothing listens. */
export function refused(name: string, cause: unknown): MoonpackError {
  return new MoonpackError("ERR_LOAD_REFUSED", `nothing listens at ${name}`, cause);
}

/** Ends a round whose operations are all refused: it would only open as many connections as the system allows. */
export class Refusals {
  readonly #name: string;
  readonly #most: number;
  #count = 0;

  constructor(name: string, lanes: number) {
    this.#name = name;
    this.#most = Math.max(LEAST_REFUSALS, 2 * lanes);
  }

  /** Counts a failed operation. Throws `ERR_LOAD_REFUSED` when the limit is reached and all were refused (`operations` is 0). */
  add(error: unknown, operations: number): void {
    if (operations > 0 || !isRefusal(error)) this.#count = -Infinity;
    else if (++this.#count >= this.#most) throw refused(this.#name, error);
  }
}
