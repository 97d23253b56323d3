/** Options of the handlers, and the formats of a request. */

import type { BodiesOptions } from "@moonpack/http";
import { msgpack } from "@moonpack/http";
import { invalidArgument, ownOptions, refuseSimilar, refuseUnknown } from "moonpack/bytes";
import { type Codec, codecOf, codecOptions, MSGPACK_NAMES, type MsgpackOptions } from "../codec.js";
import { acceptsMsgpack, isMsgpack } from "../media-types.js";
import type { Forms } from "./exchange.js";

/** Options of MessagePack in a handler. */
export interface MsgpackHandlerOptions extends MsgpackOptions {
  /** Limit of the bytes of a body of any type: MessagePack, JSON, a form, a file. Default 1 MiB. More is `PAYLOAD_TOO_LARGE`. */
  readonly maxBytes?: number;
}

/** Checked options. */
export interface Settings<O> {
  /** tRPC's options. */
  readonly rest: Omit<O, "msgpack">;
  readonly codec: Codec;
  /** Limit of the bytes of a body that tRPC reads. */
  readonly maxBytes: number;
  /** Options of @moonpack/http, which reads bodies. */
  readonly bodies: BodiesOptions;
}

/** The same default as in @moonpack/http. */
const DEFAULT_MAX_BYTES = 1 << 20;

/** The options of tRPC's handlers, and `msgpack`. Names that resemble none of them are passed on to tRPC. */
const NAMES = [
  ...["msgpack", "router", "createContext", "responseMeta", "onError", "middleware", "basePath", "endpoint"],
  ...["batching", "allowBatching", "allowMethodOverride", "maxBatchSize", "maxBodySize"],
];

/**
 * Checks the options of a handler. Throws `ERR_INVALID_ARGUMENT` for an invalid or unknown option of `msgpack`, for a name similar to
 * `msgpack` or an option of tRPC, and without a router.
 */
export function settingsOf<O extends { readonly router: object; readonly msgpack?: MsgpackHandlerOptions }>(
  options: O,
): Settings<O> {
  const mixed = ownOptions<O>(options);
  refuseSimilar(mixed, NAMES);
  const { msgpack: own, ...rest } = mixed;
  if (!hasTransformer(rest.router)) throw invalidArgument("router must be a router of tRPC");
  const given: MsgpackHandlerOptions = ownOptions(own, "msgpack");
  refuseUnknown(given, [...MSGPACK_NAMES, "maxBytes"], "option of msgpack");
  const { maxBytes } = given;
  return {
    rest,
    codec: codecOf(given),
    maxBytes: maxBytes ?? DEFAULT_MAX_BYTES,
    bodies: { json: false, msgpack: msgpack(codecOptions(given)), ...(maxBytes !== undefined && { maxBytes }) },
  };
}

/** True for a router with the member that each request replaces, which tRPC does not document. */
function hasTransformer(router: unknown): boolean {
  return Object(Object(Object(router)._def)._config).transformer !== undefined;
}

/** Returns the formats of a request; undefined without MessagePack, for requests that tRPC handles alone. */
export function formsOf(method: string | undefined, header: (name: string) => string | undefined): Forms | undefined {
  // GET and HEAD have no body, whatever their Content-Type.
  const isGet = method === "GET" || method === "HEAD";
  const isBinary = !isGet && isMsgpack(header("content-type") ?? "");
  // A stream of results is lines of JSON.
  const wantsBinary = acceptsMsgpack(header("accept") ?? "") && header("trpc-accept") === undefined;
  return isBinary || wantsBinary ? { isBinary, wantsBinary, isGet } : undefined;
}

/** Returns headers for the JSON body that replaces the received one. */
export function jsonHeaders(given: Headers): Headers {
  const headers = new Headers(given);
  headers.delete("content-length");
  headers.set("content-type", "application/json");
  return headers;
}

/** Returns a path without a slash at either end. */
export function trimmed(path: string): string {
  return path.replace(/^\/|\/$/g, "");
}
