import { describe, EncodeError, type ErrorCode, pathStep } from "../bytes/errors.js";

/** Thrown where a message that is written in slices pauses; see write-pauses.ts. */
export const PAUSE: unique symbol = Symbol("pause");

/**
 * What went wrong in a message being written. Thrown inside the encoder only, where it collects its path on the way out
 * (cheaper than keeping the path while all goes well); the caller gets an EncodeError.
 */
export class Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly cause: unknown;
  /** Keys from the offending value outwards, and the containers that they are keys of. */
  readonly #keys: unknown[] = [];
  readonly #holders: unknown[] = [];

  constructor(code: ErrorCode, message: string, cause?: unknown) {
    this.code = code;
    this.message = message;
    this.cause = cause;
  }

  /** The failure that any error means: ours as it is, what user code threw wrapped. */
  static from(error: unknown, what = "user code"): Failure {
    if (error instanceof Failure) return error;
    if (error instanceof RangeError && error.message.includes("call stack")) {
      return new Failure("ERR_LIMIT_DEPTH", "the call stack is exhausted", error);
    }
    return new Failure(
      "ERR_USER_CODE",
      `${what} threw: ${error instanceof Error ? error.message : describe(error)}`,
      error,
    );
  }

  /** The same for an error that left the value at `key` of `holder`. */
  static at(error: unknown, key: unknown, holder: unknown): Failure {
    const failure = Failure.from(error);
    failure.#keys.push(key);
    failure.#holders.push(holder);
    return failure;
  }

  /** The error for the caller, with the path from the root to the offending value. */
  toError(): EncodeError {
    let path = "$";
    const passed = new Set<unknown>();
    for (let i = this.#keys.length - 1; i >= 0; i--) {
      // A cycle is noticed some turns late; its path ends where it closes.
      if (this.code === "ERR_CYCLE" && passed.has(this.#holders[i])) break;
      passed.add(this.#holders[i]);
      path += pathStep(this.#keys[i]);
    }
    return new EncodeError(this.code, this.message, path, this.cause);
  }
}
