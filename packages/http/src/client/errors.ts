/** The errors of the client. */
import { type ErrorCode, MoonpackError, own, printable } from "moonpack/bytes";

/** A code of ours in a problem document. */
const CODE = /^ERR_[A-Z0-9_]{1,40}$/;

/**
 * The server's error: a status from 400 up, or another one that has no value. If the answer has a problem document (RFC 9457), `code`,
 * `offset` and `path` come from the document, and describe the request. Otherwise the code is `ERR_HTTP_STATUS`, or `ERR_HTTP_TYPE` for
 * an answer in an unexpected format.
 *
 * @example
 * try { await fetchValue(url, { value }) } catch (e) { if (e instanceof ResponseError && e.status === 413) split(value); }
 */
export class ResponseError extends MoonpackError {
  /** Recognises instances of other copies, by `instanceof`. */
  static override get brand(): symbol {
    return Symbol.for("@moonpack/http.ResponseError");
  }
  /** The status of the answer. */
  readonly status: number;
  /** The headers of the answer, such as Retry-After. */
  readonly headers: Headers;
  /** The members of the problem document; undefined or empty if there is none. */
  readonly problem: Readonly<Record<string, unknown>> | undefined;
  /** The position of the invalid item in the request's body, if the server sent it. */
  readonly offset: number | undefined;
  /** The path in the value, if the server sent it: up to 1,000 characters. `problem` has all. */
  readonly path: string | undefined;

  /** @internal */
  constructor(response: Response, code: ErrorCode, text: string, problem?: Readonly<Record<string, unknown>>) {
    // The texts and the path can be as long as the server's document.
    super(code, `${response.status}: ${printable(text.slice(0, 1000))}`);
    this.status = response.status;
    this.headers = response.headers;
    this.problem = problem;
    const { offset, path } = own(problem);
    this.offset = typeof offset === "number" ? offset : undefined;
    this.path = typeof path === "string" ? path.slice(0, 1000) : undefined;
  }
  /** The name of the class. */
  override get name(): string {
    return "ResponseError";
  }
}

/** Returns the error for an answer without a success status, from its problem document. */
export function statusError(response: Response, problem: Readonly<Record<string, unknown>>): ResponseError {
  const { code, detail, title } = problem;
  // Any server may have written it: a member may have any type.
  const isText = (member: unknown): member is string => typeof member === "string";
  const known = isText(code) && CODE.test(code) ? (code as ErrorCode) : "ERR_HTTP_STATUS";
  return new ResponseError(response, known, [detail, title].find(isText) ?? response.statusText, problem);
}

/** Returns the error for a request that failed or was aborted, or a truncated body. Errors of moonpack do not change. */
export function connectionError(error: unknown, signal: AbortSignal | null | undefined): MoonpackError {
  if (error instanceof MoonpackError) return error;
  if (signal?.aborted) return clientError("ERR_ABORTED", "the caller aborted the request", signal.reason);
  return clientError("ERR_HTTP_CONNECTION", "the connection failed", error);
}

/** Returns an error without an answer. */
export function clientError(code: ErrorCode, text: string, cause?: unknown): MoonpackError {
  return new MoonpackError(code, text, cause);
}
