/** Options of the handlers, and what a request is in. */

import type { BodiesOptions } from "@moonpack/http";
import { msgpack } from "@moonpack/http";
import { ownOptions } from "moonpack/bytes";
import { type Codec, codecOf, codecOptions, type MsgpackOptions } from "../codec.js";
import { acceptsMsgpack, isMsgpack } from "../media-types.js";
import type { Forms } from "./exchange.js";

/** Options of MessagePack in a handler. */
export interface MsgpackHandlerOptions extends MsgpackOptions {
  /** The most bytes of a body of any type: MessagePack, JSON, a form, a file. Default 1 MiB. A larger one is `PAYLOAD_TOO_LARGE`. */
  readonly maxBytes?: number;
}

/** Checked options. */
export interface Settings {
  readonly codec: Codec;
  /** The most bytes of a body that tRPC reads. */
  readonly maxBytes: number;
  /** For @moonpack/http, which reads bodies. */
  readonly bodies: BodiesOptions;
}

/** As that of @moonpack/http. */
const DEFAULT_MAX_BYTES = 1 << 20;

/** Checks the options of a handler. `ERR_INVALID_ARGUMENT` for an invalid one. */
export function settingsOf(options: MsgpackHandlerOptions | undefined): Settings {
  const given = ownOptions(options);
  const { maxBytes } = given;
  return {
    codec: codecOf(given),
    maxBytes: maxBytes ?? DEFAULT_MAX_BYTES,
    bodies: { json: false, msgpack: msgpack(codecOptions(given)), ...(maxBytes !== undefined && { maxBytes }) },
  };
}

/** What a request is in; undefined if it has nothing of MessagePack, and is for tRPC alone. */
export function formsOf(method: string | undefined, header: (name: string) => string | undefined): Forms | undefined {
  // Neither has a body, whatever its Content-Type says.
  const isGet = method === "GET" || method === "HEAD";
  const isBinary = !isGet && isMsgpack(header("content-type") ?? "");
  // A stream of results is lines of JSON.
  const wantsBinary = acceptsMsgpack(header("accept") ?? "") && header("trpc-accept") === undefined;
  return isBinary || wantsBinary ? { isBinary, wantsBinary, isGet } : undefined;
}

/** Headers of the body that tRPC gets in the place of the one that came. */
export function placedHeaders(given: Headers): Headers {
  const headers = new Headers(given);
  headers.delete("content-length");
  headers.set("content-type", "application/json");
  return headers;
}

/** A path without a slash at either end. */
export function trimmed(path: string): string {
  return path.replace(/^\/|\/$/g, "");
}
