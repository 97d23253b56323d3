/** The errors of reading a request. */
import { DecodeError, EncodeError, MoonpackError } from "moonpack/bytes";
import { RequestError } from "../errors.js";

/** Codes for bodies that are too large. */
const TOO_LARGE = new Set(["ERR_LIMIT_BYTES", "ERR_FRAME_TOO_LARGE", "ERR_LIMIT_ELEMENTS"]);

/** Returns the error for a body above the limit. */
export function tooLarge(maxBytes: number): RequestError {
  return new RequestError(413, "ERR_LIMIT_BYTES", `the body has more than ${maxBytes} bytes`);
}

/** Returns the error for a body that cannot be read: invalid bytes, an invalid value, or a failed connection. */
export function bodyError(error: unknown): unknown {
  if (error instanceof RequestError) return error;
  if (error instanceof DecodeError) {
    const { code, offset } = error;
    // The error text of an extension's own code is for the log, not for the client.
    const message =
      code === "ERR_USER_CODE" ? `an extension that cannot be decoded (at byte ${offset})` : error.message;
    return new RequestError(TOO_LARGE.has(code) ? 413 : 400, code, message, { offset, cause: error });
  }
  if (error instanceof EncodeError) {
    if (error.code === "ERR_USER_CODE") return error;
    const status = TOO_LARGE.has(error.code) ? 413 : 400;
    return new RequestError(status, error.code, error.message, { path: error.path, cause: error });
  }
  if (error instanceof MoonpackError) {
    return TOO_LARGE.has(error.code) ? new RequestError(413, error.code, error.message, { cause: error }) : error;
  }
  return error;
}

/** Returns the error for a connection that ended before the body. */
export function cutError(cause: unknown): RequestError {
  return new RequestError(400, "ERR_HTTP_CONNECTION", "the body ended early", { cause });
}
