/** The errors of the HTTP API: Prometheus' types of errors and their statuses. */
import { type ErrorCode, MoonpackError } from "moonpack/bytes";
import { PrometheusError } from "../errors.js";

/** Prometheus' type of an error, and the status of HTTP. */
export type ErrorKind = readonly [errorType: string, status: number];

const KINDS: ReadonlyMap<ErrorCode, ErrorKind> = /* @__PURE__ */ new Map<ErrorCode, ErrorKind>([
  ["ERR_PROMQL_SYNTAX", ["bad_data", 400]],
  ["ERR_INVALID_ARGUMENT", ["bad_data", 400]],
  ["ERR_LIMIT_DEPTH", ["bad_data", 400]],
  ["ERR_LIMIT_BYTES", ["bad_data", 400]],
  ["ERR_LIMIT_ELEMENTS", ["bad_data", 400]],
  ["ERR_LIMIT_POINTS", ["bad_data", 400]],
  ["ERR_PROMQL_EXECUTION", ["execution", 422]],
  ["ERR_LIMIT_SAMPLES", ["execution", 422]],
  ["ERR_LIMIT_SERIES", ["execution", 422]],
  ["ERR_TIMEOUT", ["timeout", 503]],
  ["ERR_ABORTED", ["canceled", 499]],
  ["ERR_CLOSED", ["unavailable", 503]],
]);

/** An error that a request causes before a query runs. */
export class RequestError extends Error {
  readonly kind: ErrorKind;
  /** The value of the header `Allow`, for 405. */
  readonly allow: string | undefined;

  constructor(kind: ErrorKind, message: string, allow?: string) {
    super(message);
    this.kind = kind;
    this.allow = allow;
  }
}

/** Returns the error of a parameter, in Prometheus' words. */
export function invalidParameter(name: string, text: string): RequestError {
  return new RequestError(["bad_data", 400], `invalid parameter ${JSON.stringify(name)}: ${text}`);
}

/** Adds the name of a parameter to the error of its syntax, as Prometheus does. */
export async function ofParameter<T>(name: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const isSyntax = error instanceof PrometheusError && error.code === "ERR_PROMQL_SYNTAX";
    throw isSyntax ? invalidParameter(name, error.message) : error;
  }
}

/** Returns Prometheus' type of an error, and the status. */
export function kindOf(error: unknown): ErrorKind {
  if (error instanceof RequestError) return error.kind;
  return (error instanceof MoonpackError ? KINDS.get(error.code) : undefined) ?? ["internal", 500];
}
