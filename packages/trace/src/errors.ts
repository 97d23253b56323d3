/** The errors of this package. It has no dependencies: a brand makes its classes part of moonpack's family of errors. */
import { types } from "node:util";
import { shared } from "./shared.js";

/** The brand of MoonpackError: with moonpack loaded, `error instanceof MoonpackError` is true for errors of this package. */
const BRAND = "moonpack.MoonpackError";

/**
 * An invalid argument or option: `code` is `"ERR_INVALID_ARGUMENT"`. Also an instance of moonpack's MoonpackError.
 *
 * @example
 * try { expressMiddleware({ headerName: "a b" }) } catch (e) { if (e instanceof TraceArgumentError) console.log(e.code) }
 */
export interface TraceArgumentError extends TypeError {
  /** Stable: compare this, not the text. */
  readonly code: "ERR_INVALID_ARGUMENT";
}

/** The class of {@link TraceArgumentError}, one for a process. */
export const TraceArgumentError: {
  new (message: string): TraceArgumentError;
  /** Makes instances ones of MoonpackError. */
  readonly brand: symbol;
} = /* @__PURE__ */ shared(
  "TraceArgumentError",
  () =>
    class TraceArgumentError extends TypeError {
      static get brand(): symbol {
        return Symbol.for(BRAND);
      }
      readonly code: "ERR_INVALID_ARGUMENT";
      constructor(message: string) {
        super(message);
        this.code = "ERR_INVALID_ARGUMENT";
      }
      /** The printed name: the base class's, as for Node's own argument errors. */
      override get name(): string {
        return "TypeError";
      }
    },
);

/** Returns the error for an invalid argument or option. */
export function invalidArgument(message: string): TraceArgumentError {
  return new TraceArgumentError(message);
}

/**
 * Passed to the framework when `requestIdFactory` throws something that is not an Error. Many frameworks treat a falsy value, or
 * Express the text "route", as "no error". `code` is `"ERR_USER_CODE"`, `cause` is the thrown value. Also an instance of moonpack's
 * MoonpackError.
 *
 * @example
 * app.use((error, request, response, next) => next(error instanceof TraceFactoryError ? error.cause : error));
 */
export interface TraceFactoryError extends Error {
  /** Stable: compare this, not the text. */
  readonly code: "ERR_USER_CODE";
}

/** The class of {@link TraceFactoryError}, one for a process. */
export const TraceFactoryError: {
  new (cause: unknown): TraceFactoryError;
  /** Makes instances ones of MoonpackError. */
  readonly brand: symbol;
} = /* @__PURE__ */ shared(
  "TraceFactoryError",
  () =>
    class TraceFactoryError extends Error {
      static get brand(): symbol {
        return Symbol.for(BRAND);
      }
      readonly code: "ERR_USER_CODE";
      constructor(cause: unknown) {
        super(`requestIdFactory threw ${describe(cause)}, which is not an Error`, { cause });
        this.code = "ERR_USER_CODE";
      }
      /** The printed name. */
      override get name(): string {
        return "TraceFactoryError";
      }
    },
);

/** Returns the value that the user's factory threw if it is an Error, otherwise a {@link TraceFactoryError}. */
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
