import { type ErrorCode, isInstance } from "moonpack/bytes";

/**
 * The error for invalid input. It is a RangeError, like the original's error for truncated input. Unlike the original, all
 * decoding errors have this class; `code` (or `needMore > 0`) distinguishes them.
 */
export class DecodeError extends RangeError {
  /** Returns true for instances of every copy of moonpack in the process. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: in a subclass, `this` is the subclass.
    return isInstance(this, value);
  }
  /** @internal */
  static get brand(): symbol {
    return Symbol.for("moonpack.compat.DecodeError");
  }
  /** One of moonpack's error codes; `ERR_USER_CODE` when an extension's own code made the error. */
  readonly code: ErrorCode;
  /** Offset of the invalid item; -1 if an extension threw the error without one (the Decoder then sets it). */
  offset: number;
  /** If the input ends too early: the least number of missing bytes. Otherwise 0: more input would not help. */
  readonly needMore: number;

  constructor(message: string, code: ErrorCode = "ERR_USER_CODE", offset = -1, needMore = 0) {
    super(message);
    this.code = code;
    this.offset = offset;
    this.needMore = needMore;
  }

  /** Defined on the prototype, so that bundlers may rename the class. */
  override get name(): string {
    return "DecodeError";
  }
}

/** Returns the error for input that ends inside the item at `offset`. */
export function truncated(offset: number, needMore: number): DecodeError {
  return new DecodeError(
    `Insufficient data: ${needMore} more bytes needed at byte ${offset}`,
    "ERR_TRUNCATED",
    offset,
    needMore,
  );
}
