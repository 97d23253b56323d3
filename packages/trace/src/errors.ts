/** The errors of this package. It has no dependencies, so the classes are not of moonpack's family; the codes are. */
import { types } from "node:util";

/**
 * The error for an invalid argument or option: `code` is `"ERR_INVALID_ARGUMENT"`.
 *
 * @example
 * try { expressMiddleware({ headerName: "a b" }) } catch (e) { if (e instanceof TraceArgumentError) console.log(e.code) }
 */
export class TraceArgumentError extends TypeError {
  /** Stable: compare this, not the text. */
  readonly code: "ERR_INVALID_ARGUMENT";
  constructor(message: string) {
    super(message);
    this.code = "ERR_INVALID_ARGUMENT";
  }
  /** The name that is printed: that of the base class, as Node's own argument errors. */
  override get name(): string {
    return "TypeError";
  }
}

/** The error for an invalid argument or option. */
export function invalidArgument(message: string): TraceArgumentError {
  return new TraceArgumentError(message);
}

/**
 * What a framework gets when `requestIdFactory` throws something that is not an Error: many take a falsy value, or Express the
 * text "route", for no error. `code` is `"ERR_USER_CODE"`, `cause` is what was thrown.
 *
 * @example
 * app.use((error, request, response, next) => next(error instanceof TraceFactoryError ? error.cause : error));
 */
export class TraceFactoryError extends Error {
  /** Stable: compare this, not the text. */
  readonly code: "ERR_USER_CODE";
  constructor(cause: unknown) {
    super(`requestIdFactory threw ${describe(cause)}, which is not an Error`, { cause });
    this.code = "ERR_USER_CODE";
  }
  /** The name that is printed. */
  override get name(): string {
    return "TraceFactoryError";
  }
}

/** What the user's factory threw, as an Error: itself if it is one. */
export function factoryError(thrown: unknown): Error {
  try {
    if (types.isNativeError(thrown) || thrown instanceof Error) return thrown;
  } catch {
    // A proxy that throws.
  }
  return new TraceFactoryError(thrown);
}

/** Describes a value for an error text, without running any of its code. */
export function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}..` : value);
  if (typeof value === "bigint") return `${value}n`;
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return String(value);
  if (typeof value === "function") return "a function";
  return !types.isProxy(value) && Array.isArray(value) ? "an array" : "an object";
}
