/** The options of `propagate` and `undiciInterceptor`. They are read once and checked. */

import { readHeaderName } from "../inbound/header-name.js";
import { optionsObject, ownOption, refuseUnknown } from "../options.js";
import { type AllowList, type OutgoingRule, readAllowList, readOrigins } from "./allow-list.js";

/** Options of {@link propagate}. */
export interface PropagateOptions {
  /** Required: the destinations that ids may be sent to, or `"any"`. Other hosts get no headers. */
  readonly to: "any" | OutgoingRule | readonly OutgoingRule[];
  /** The header for the id. Default `X-Request-Id`. Must be a token. */
  readonly headerName?: string;
}

/** Options of {@link undiciInterceptor}. */
export interface InterceptorOptions {
  /** Required: returns true for the origins that ids may be sent to. Called for each request, with the `origin` that it names. */
  readonly origins: (origin: URL) => boolean;
  /** The header for the id. Default `X-Request-Id`. Must be a token. */
  readonly headerName?: string;
}

/** Options of either, as read and checked. */
export interface Propagation {
  readonly isAllowed: AllowList;
  readonly headerName: string;
}

/** Reads the options of `propagate`. Throws `ERR_INVALID_ARGUMENT`. */
export function readPropagation(options: unknown): Propagation {
  const given = optionsObject(options);
  refuseUnknown(given, ["to", "headerName"]);
  return {
    isAllowed: readAllowList(ownOption(given, "to")),
    headerName: readHeaderName(ownOption(given, "headerName")),
  };
}

/** Reads the options of `undiciInterceptor`. Throws `ERR_INVALID_ARGUMENT`. */
export function readInterceptor(options: unknown): Propagation {
  const given = optionsObject(options);
  refuseUnknown(given, ["origins", "headerName"]);
  return {
    isAllowed: readOrigins(ownOption(given, "origins")),
    headerName: readHeaderName(ownOption(given, "headerName")),
  };
}
