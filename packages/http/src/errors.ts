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
  ERR_HTTP_CONNECTION: "the connection failed, or a body is truncated; see cause",
  ERR_HTTP_INTERNAL: "the server failed; `cause` has the error, which the client does not see",
  ERR_HTTP_NOT_ACCEPTABLE: "no format of the answer is among those that the client accepts",
  ERR_HTTP_STATUS: "the server answered with an error without a known code; see status",
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

/** A problem document (RFC 9457): the part of a {@link RequestError} that the client gets. It has no stack. */
export interface Problem {
  /** The status of the answer. */
  readonly status: number;
  /** The name of the status. */
  readonly title: string;
  /** The message of the error. */
  readonly detail: string;
  /** The stable code of the error. */
  readonly code: ErrorCode;
  /** The position of the invalid item's first byte in the body. */
  readonly offset?: number;
  /** The path in the value, if the value does not match the schema. */
  readonly path?: string;
}

/** More properties of a {@link RequestError}. */
export interface RequestErrorDetails {
  /** The position of the invalid item's first byte in the body. */
  readonly offset?: number | undefined;
  /** The path in the value. */
  readonly path?: string | undefined;
  /** Headers for the answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The error that caused this one. */
  readonly cause?: unknown;
}

/**
 * A request that cannot be served, with the status of the answer. It has the properties that error handlers of frameworks read:
 * `status`, `statusCode`, `expose`, `headers`, and Hono's `getResponse`.
 *
 * @example
 * try { await http.read(request) } catch (e) { if (e instanceof RequestError) return e.getResponse(); throw e; }
 */
export class RequestError extends MoonpackError {
  /** Recognises instances of other copies, by `instanceof`. */
  static override get brand(): symbol {
    return Symbol.for("@moonpack/http.RequestError");
  }
  /** The status of the answer. */
  readonly status: RequestStatus;
  /** The position of the invalid item's first byte in the body; undefined unless the bytes are invalid. */
  readonly offset: number | undefined;
  /** The path in the value; undefined unless the value is invalid. */
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
  /** The name of the class. */
  override get name(): string {
    return "RequestError";
  }
  /** The status, by the name that Express and Fastify read. */
  get statusCode(): RequestStatus {
    return this.status;
  }
  /** True: the client may see the message. */
  get expose(): boolean {
    return true;
  }
  /** Returns the error as a document for the client. */
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
  /** Returns the answer to the request: the document as `application/problem+json`. */
  getResponse(): Response {
    const headers = { ...this.headers, vary: "Accept", "content-type": PROBLEM_TYPE };
    return new Response(JSON.stringify(this.toProblem()), { status: this.status, headers });
  }
}

/** Returns the error to answer. Other errors than a {@link RequestError} become the cause of status 500, for the log only. */
export function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  return new RequestError(500, "ERR_HTTP_INTERNAL", "the server failed to answer", { cause: error });
}
