/** Sends a request and looks at the head of the answer. */
import { countOption, invalidArgument, own, ownOptions, refuseSimilar } from "moonpack/bytes";
import { encode } from "moonpack/msgpack";
import type { MsgpackFormat } from "../formats/msgpack.js";
import { checkFormat, type PckFormat } from "../formats/pck-format.js";
import { headersOption } from "../headers.js";
import { MSGPACK_TYPE } from "../media-types.js";
import { bytesOf } from "./bytes-of.js";
import { connectionError, statusError } from "./errors.js";
import type { StreamBody } from "./stream-body.js";

/** The size limit of a problem document, in bytes: a larger one is ignored. */
const MAX_PROBLEM_BYTES = 65_536;
const DEFAULT_MAX_BYTES = 64 << 20;

/** A format of bodies. */
export type BodyFormat<Out = unknown, In = never> = MsgpackFormat | PckFormat<Out, In>;

/** Options of {@link fetchValue} and {@link fetchStream}, added to the options of `fetch`. */
export interface FetchOptions<Out = unknown, In = unknown> extends Omit<RequestInit, "body"> {
  /** The value to send. The default of `method` is then POST. */
  readonly value?: In;
  /** The format of `value`. Default: MessagePack. */
  readonly request?: BodyFormat<unknown, In>;
  /** A stream of values to send, from `streamBody`. */
  readonly body?: StreamBody;
  /**
   * The format of the answer. With PCK, MessagePack is also accepted, and its value is checked against the schema. Default:
   * MessagePack.
   */
  readonly response?: BodyFormat<Out, never>;
  /** The most bytes of the answer, or of one value in a stream: `ERR_LIMIT_BYTES`. Default 64 MiB. */
  readonly maxBytes?: number;
  /** Called in place of the global `fetch`. */
  readonly fetch?: (url: string | URL, init: RequestInit) => Promise<Response>;
}

/** {@link FetchOptions} for values of any type. */
export type AnyFetchOptions = Omit<FetchOptions<unknown, never>, "value"> & { readonly value?: unknown };

/** An answer with a success status or 304, and the settings for reading it. */
export interface Answer {
  readonly response: Response;
  /** The media type without parameters, in lower case; "" if there is none. */
  readonly essence: string;
  /** The header Content-Type in lower case. */
  readonly type: string;
  readonly format: BodyFormat | undefined;
  readonly maxBytes: number;
  readonly isHead: boolean;
  readonly signal: AbortSignal | null | undefined;
}

/** The names of {@link FetchOptions}, and the ones of `RequestInit`. Names that resemble none of them are passed on to `fetch`. */
const NAMES = [
  ...["value", "request", "body", "response", "maxBytes", "fetch"],
  ...["method", "headers", "signal", "mode", "credentials", "cache", "redirect", "referrer", "referrerPolicy"],
  ...["integrity", "keepalive", "priority", "duplex", "window", "dispatcher"],
];

/** Sends the request. Returns the answer if it is a success or 304; otherwise throws the server's error. */
export async function send(
  url: string | URL,
  options: AnyFetchOptions | undefined,
  isStream: boolean,
): Promise<Answer> {
  if (typeof url !== "string" && typeof url?.href !== "string") throw invalidArgument("url must be a text or a URL");
  const given = ownOptions(options);
  refuseSimilar(given, NAMES);
  const { value, request, body, response: format, maxBytes: most, fetch: call = fetch, ...init } = given;
  const maxBytes = countOption("maxBytes", most, DEFAULT_MAX_BYTES, 1, Infinity);
  checkFormat("request", request);
  checkFormat("response", format);
  if (body !== undefined && typeof body?.init !== "function") throw invalidArgument("body must come from streamBody()");
  if (body !== undefined && value !== undefined) throw invalidArgument("a request has a value or a body, not both");
  if (typeof call !== "function") throw invalidArgument("fetch must be a function");
  const headers = headersOption(init.headers);
  if (init.method !== undefined && typeof init.method !== "string") throw invalidArgument("method must be a text");
  const suggest = (name: string, text: string) => headers.has(name) || headers.set(name, text);
  const sent: RequestInit = own({ ...init, headers });
  suggest("accept", format?.kind === "pck" ? format.accept(isStream) : MSGPACK_TYPE);
  if (body !== undefined) {
    suggest("content-type", body.type);
    Object.assign(sent, await body.init());
  } else if (Object.hasOwn(given, "value")) {
    suggest("content-type", request?.kind === "pck" ? request.type(false) : MSGPACK_TYPE);
    sent.body = request === undefined ? encode(value) : request.encode(value as never);
  }
  if (sent.body !== undefined) sent.method ??= "POST";
  if (call === globalThis.fetch) checkInit(url, sent);
  try {
    const response = await call(url, sent);
    const text = response.headers.get("content-type")?.toLowerCase() ?? "";
    const essence = text.split(";")[0]!.trim();
    if (!response.ok && response.status !== 304) throw statusError(response, await problemOf(response, essence));
    return {
      response,
      type: text,
      essence,
      format,
      maxBytes,
      isHead: sent.method?.toUpperCase() === "HEAD",
      signal: init.signal,
    };
  } catch (error) {
    throw connectionError(body?.failure() ?? error, init.signal);
  }
}

/** Throws `ERR_INVALID_ARGUMENT` for what `fetch` refuses before it connects: it has the same error class for that and for a lost connection. */
function checkInit(url: string | URL, { body, duplex: _, ...init }: RequestInit & { readonly duplex?: unknown }): void {
  const method = init.method?.toUpperCase();
  if (body !== undefined && (method === "GET" || method === "HEAD"))
    throw invalidArgument(`a request with the method ${method} has no value and no body`);
  try {
    new Request(url, init);
  } catch (error) {
    throw invalidArgument(`fetch refuses the request: ${(error as Error).message}`, error);
  }
}

/** Returns the members of the answer's problem document; an empty object if there is none, or if it is malformed, truncated or too large. */
async function problemOf(response: Response, essence: string): Promise<Record<string, unknown>> {
  try {
    if (essence.endsWith("json"))
      return own(JSON.parse(new TextDecoder().decode(await bytesOf(response, MAX_PROBLEM_BYTES))));
    await response.body?.cancel();
  } catch {}
  return own({});
}
