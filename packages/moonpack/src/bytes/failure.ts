import { describe, EncodeError, type ErrorCode, pathStep } from "./errors.js";
import { isStackOverflow } from "./limits.js";

/**
 * An error inside an encoder, on its way to the caller. Each container that it leaves adds its key, so that a path costs
 * nothing without an error. The caller receives an {@link EncodeError}.
 *
 * @example
 * catch (error) { throw Failure.at(error, key, holder); } // in each container
 * catch (error) { throw Failure.from(error).toError(); }  // in encode
 */
export class Failure {
  /** The code of the error. */
  readonly code: ErrorCode;
  /** Its text, without the path. */
  readonly message: string;
  /** The error of the caller's code, or of the engine. */
  readonly cause: unknown;
  /** Keys from the offending value outwards, each with its container. */
  readonly #path: { readonly key: unknown; readonly holder: unknown }[] = [];

  /** Creates a failure without a path. */
  constructor(code: ErrorCode, message: string, cause?: unknown) {
    this.code = code;
    this.message = message;
    this.cause = cause;
  }

  /** Returns the failure for any error. An error that user code threw becomes the `cause` of `ERR_USER_CODE`. */
  static from(error: unknown, what = "user code"): Failure {
    if (error instanceof Failure) return error;
    if (isStackOverflow(error)) return new Failure("ERR_LIMIT_DEPTH", "the call stack is exhausted", error);
    const text = error instanceof Error ? error.message : describe(error);
    return new Failure("ERR_USER_CODE", `${what} threw: ${text}`, error);
  }

  /** Returns the failure for an error that occurred in the value at `key` of `holder`. */
  static at(error: unknown, key: unknown, holder: unknown): Failure {
    const failure = Failure.from(error);
    failure.#path.push({ key, holder });
    return failure;
  }

  /** Returns the error for the caller, with the path from the root to the offending value. */
  toError(): EncodeError {
    let path = "$";
    const passed = new Set<unknown>();
    for (const { key, holder } of this.#path.reverse()) {
      // A cycle is detected some rounds late; its path ends where the cycle closes.
      if (this.code === "ERR_CYCLE" && passed.has(holder)) break;
      passed.add(holder);
      path += pathStep(key);
    }
    return new EncodeError(this.code, this.message, path, this.cause);
  }
}
