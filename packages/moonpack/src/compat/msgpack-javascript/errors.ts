import type { ErrorCode } from "../../bytes/errors.js";

/**
 * Bad bytes. A RangeError, because that is what callers of the original catch where input ends too early; unlike there,
 * all failures of decoding are of this one class, and `code` (or `needMore > 0`) tells them apart.
 */
export class DecodeError extends RangeError {
  /** One of moonpack's error codes; `ERR_USER_CODE` when an extension's own code made the error. */
  readonly code: ErrorCode;
  /** First byte of the offending item; -1 when its maker did not know it (a Decoder that it passes through does). */
  offset: number;
  /** When the input was cut short: how many bytes are missing at least. Otherwise 0: more input will not help. */
  readonly needMore: number;

  constructor(message: string, code: ErrorCode = "ERR_USER_CODE", offset = -1, needMore = 0) {
    super(message);
    this.code = code;
    this.offset = offset;
    this.needMore = needMore;
  }

  /** On the prototype, so that bundlers may rename the class. */
  override get name(): string {
    return "DecodeError";
  }
}

/** The error for an item at `offset` that the bytes end in. */
export function cutShort(offset: number, needMore: number): DecodeError {
  return new DecodeError(
    `Insufficient data: ${needMore} more bytes needed at byte ${offset}`,
    "ERR_TRUNCATED",
    offset,
    needMore,
  );
}
