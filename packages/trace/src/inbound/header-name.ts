/** The option `headerName`. */
import { describe, invalidArgument } from "../errors.js";

/** The header of the id unless `headerName` is set. */
export const DEFAULT_HEADER = "X-Request-Id";

/** A token (RFC 9110, 5.6.2), which header names are. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * Headers of the connection and of framing (RFC 9110, 7.6.1; RFC 9113, 8.2.2). Written to a response or request they break it, or
 * HTTP/2 refuses them.
 */
const CONNECTION_HEADERS =
  /^(?:connection|content-length|http2-settings|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i;

/** Checks a header name; null and undefined become the default. Throws `ERR_INVALID_ARGUMENT`. */
export function readHeaderName(value: unknown): string {
  const name = value ?? DEFAULT_HEADER;
  if (typeof name !== "string" || !TOKEN.test(name))
    throw invalidArgument(`headerName must be the name of a header, not ${describe(name)}`);
  if (CONNECTION_HEADERS.test(name))
    throw invalidArgument(`headerName must not be a header of the connection, as ${describe(name)} is`);
  return name;
}
