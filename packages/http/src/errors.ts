/** The errors of requests. They belong to moonpack's family: all codes are in one table (docs/errors.md). */
import { type ErrorCode, MoonpackError, own, type PackageErrorCode } from "moonpack/bytes";
import { PROBLEM_TYPE } from "./media-types.js";
import { shortened } from "./shortened.js";

/** A code that only this package has. */
export type HttpErrorCode = Extract<PackageErrorCode, `ERR_HTTP_${string}`>;

/**
 * The codes that only this package has, each with its meaning in one line.
 *
 * @example
 * console.log(HTTP_ERROR_CODES.ERR_HTTP_TYPE);
 */
export const HTTP_ERROR_CODES: Readonly<Record<HttpErrorCode, string>> = {
  ERR_HTTP_CONNECTION: "the connection failed, or a body was cut; see cause",
  ERR_HTTP_INTERNAL: "the server failed; `cause` has the error, which the client does not see",
  ERR_HTTP_NOT_ACCEPTABLE: "no format of the answer is among those that the client accepts",
  ERR_HTTP_STATUS: "the server answered with an error that has no code of its own; see status",
  ERR_HTTP_TYPE: "a body of a media type, charset or content coding that is not supported",
};

/** The statuses of {@link RequestError}. */
export type RequestStatus = 400 | 406 | 413 | 415 | 500;

const TITLES: Readonly<Record<RequestStatus, string>> = {
  400: "Bad Request",
  406: "Not Acceptable",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  500: "Internal Server Error",
};

/** An error document (RFC 9457): what a client may know of a {@link RequestError}. It never has a stack. */
export interface Problem {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly code: ErrorCode;
  /** The position of the invalid item's first byte in the body. */
  readonly offset?: number;
  /** The place in the value, for a value that is not of the schema. */
  readonly path?: string;
}

/** What is known of a {@link RequestError} beside its code. */
export interface RequestErrorDetails {
  readonly offset?: number | undefined;
  readonly path?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/**
 * A request that cannot be served, with the status to answer. Error handlers of the frameworks find what they look for:
 * `status`, `statusCode`, `expose` and `headers`, and Hono `getResponse`.
 *
 * @example
 * try { await http.read(request) } catch (e) { if (e instanceof RequestError) return e.getResponse(); throw e; }
 */
export class RequestError extends MoonpackError {
  /** Recognises instances of other copies, by `instanceof`. */
  static override get brand(): symbol {
    return Symbol.for("@moonpack/http.RequestError");
  }
  readonly status: RequestStatus;
  /** The position of the invalid item's first byte in the body; undefined if the error is none of bytes. */
  readonly offset: number | undefined;
  /** The place in the value; undefined if the error is none of a value. */
  readonly path: string | undefined;
  /** Headers for the answer, such as `Accept` for 415. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: RequestStatus, code: ErrorCode, message: string, details?: RequestErrorDetails) {
    const { offset, path, headers = {}, cause } = own(details);
    super(code, message, cause);
    this.status = status;
    this.offset = offset;
    this.path = path;
    this.headers = headers;
  }
  override get name(): string {
    return "RequestError";
  }
  /** The status, by the name that Express and Fastify look for. */
  get statusCode(): RequestStatus {
    return this.status;
  }
  /** True: the text is meant for the client. */
  get expose(): boolean {
    return true;
  }
  /** The error as a document for the client. */
  toProblem(): Problem {
    const { status, message: detail, code, offset, path } = this;
    return {
      status,
      title: TITLES[status],
      detail,
      code,
      ...(offset === undefined ? undefined : { offset }),
      ...(path === undefined ? undefined : { path: shortened(path) }),
    };
  }
  /** The answer to the request: the document as `application/problem+json`. */
  getResponse(): Response {
    const headers = { ...this.headers, vary: "Accept", "content-type": PROBLEM_TYPE };
    return new Response(JSON.stringify(this.toProblem()), { status: this.status, headers });
  }
}

/** The error to answer: status 500 for an error that says nothing of the request. It is the cause, and for the log alone. */
export function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  return new RequestError(500, "ERR_HTTP_INTERNAL", "the server failed to answer", { cause: error });
}
