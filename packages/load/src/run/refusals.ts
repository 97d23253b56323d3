import { MoonpackError } from "moonpack/bytes";

/** Minimum number of refused operations that ends a run. Each worker may be refused more than once. */
const MIN_REFUSALS = 1000;
/** Error codes for an address where nothing listens. */
const REFUSED = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND"]);

/** True for an error that reports that nothing listens at an address. */
export function isRefusal(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  try {
    const { code, errors } = error as { readonly code?: unknown; readonly errors?: unknown };
    if (REFUSED.has(code as string)) return true;
    // For a host name with several addresses Node throws an AggregateError.
    return Array.isArray(errors) && errors.length > 0 && errors.every(isRefusal);
  } catch {
    return false; // a getter of the target's error may throw
  }
}

/** Returns the error of a target where nothing listens. */
export function refused(name: string, cause: unknown): MoonpackError {
  return new MoonpackError("ERR_LOAD_REFUSED", `nothing listens at ${name}`, cause);
}

/** Ends a round whose operations are all refused. Otherwise it would open connections as fast as the system allows. */
export class Refusals {
  readonly #name: string;
  readonly #limit: number;
  #count = 0;

  constructor(name: string, workers: number) {
    this.#name = name;
    this.#limit = Math.max(MIN_REFUSALS, 2 * workers);
  }

  /** Counts a failed operation. Throws `ERR_LOAD_REFUSED` at the limit, if no operation has succeeded (`operations` is 0). */
  add(error: unknown, operations: number): void {
    if (operations > 0 || !isRefusal(error)) this.#count = -Infinity;
    else if (++this.#count >= this.#limit) throw refused(this.#name, error);
  }
}
