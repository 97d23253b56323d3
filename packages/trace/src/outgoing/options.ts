/** The options of `propagate` and `undiciInterceptor`. They are read once and checked. */
import { describe, invalidArgument } from "../errors.js";
import { readOptions } from "../inbound/options.js";
import { type AllowList, type OutgoingRule, readAllowList } from "./allow-list.js";
import { type Destination, originOf } from "./destination.js";

/** Options of {@link propagate}. */
export interface PropagateOptions {
  /** Required: the destinations that ids may be sent to, or `"any"`. A host that is not named learns nothing. */
  to: "any" | OutgoingRule | readonly OutgoingRule[];
  /** The header that the id is sent with. Default `X-Request-Id`. Throws if it is no token. */
  headerName?: string;
}

/** Options of {@link undiciInterceptor}. */
export interface InterceptorOptions extends PropagateOptions {
  /** For a `Client` or `Pool`, whose requests do not tell it: the origin that it was made for. */
  origin?: string | URL;
  /**
   * Says that the dispatcher next to the interceptor connects to what a request names, or to `origin`, and follows no redirects. It
   * is then not looked at: if it does otherwise, ids go to hosts that `to` does not allow. Default false.
   */
  trustDispatcher?: boolean;
}

/** {@link PropagateOptions} as read and checked. */
export interface Propagation {
  readonly isAllowed: AllowList;
  readonly headerName: string;
}

/** Reads options. Throws `ERR_INVALID_ARGUMENT`. */
export function readPropagation(options: PropagateOptions): Propagation {
  if (typeof options !== "object" || options === null)
    throw invalidArgument(`expected options with to, not ${describe(options)}`);
  const isAllowed = readAllowList(Object.hasOwn(options, "to") ? options.to : undefined);
  const { headerName } = readOptions(
    Object.hasOwn(options, "headerName") && options.headerName !== undefined ? { headerName: options.headerName } : {},
  );
  return { isAllowed, headerName };
}

/** Reads the option `trustDispatcher`. */
export function readTrust(options: InterceptorOptions): boolean {
  const trust: unknown = Object.hasOwn(options, "trustDispatcher") ? options.trustDispatcher : undefined;
  if (trust !== undefined && typeof trust !== "boolean")
    throw invalidArgument(`trustDispatcher must be a boolean, not ${describe(trust)}`);
  return trust === true;
}

/** Reads the option `origin`. */
export function readOrigin(options: InterceptorOptions): Destination | undefined {
  if (!Object.hasOwn(options, "origin") || options.origin === undefined) return undefined;
  const destination = originOf(options.origin, undefined);
  if (destination === undefined)
    throw invalidArgument(`origin must be one of http or https, not ${describe(options.origin)}`);
  return destination;
}
