/** Bodies for servers that take a Request and return a Response: workers, Deno, Bun, and frameworks on them. */
import { invalidArgument, ownOptions, refuseSimilar } from "moonpack/bytes";
import { append } from "vary";
import { RequestError, toRequestError } from "./errors.js";
import { headersOption } from "./headers.js";
import type { Incoming } from "./server/incoming.js";
import { readValue, readValues } from "./server/read.js";
import {
  type BodiesOptions,
  checkArgument,
  type ReadOptions,
  type ReadValueOptions,
  readSettings,
  type SendOptions,
  type SendStreamOptions,
  type Settings,
} from "./server/settings.js";
import { partsOf } from "./server/web-body.js";
import { encodeBody } from "./server/write.js";
import { encodeValues, type Recipient, type ValuesToSend } from "./server/write-stream.js";
import { readableOf } from "./streams/encode.js";

/** Reads requests and makes responses. Made by {@link bodies}. */
export interface WebBodies {
  /**
   * Reads the value of a body; undefined if there is neither a body nor a Content-Type. Rejects with a {@link RequestError}: 400 for
   * invalid bytes, 413 above the limit, 415 for another type.
   */
  read<Out = unknown>(request: Request, options?: ReadValueOptions<Out>): Promise<Out | undefined>;
  /** Yields the values of a body as they arrive. Throws the errors of `read`; a truncated body is an error. */
  readStream<Out = unknown>(request: Request, options?: ReadOptions<Out>): AsyncGenerator<Out, void, undefined>;
  /**
   * Returns a response with the value, in the format that the client prefers, or with the problem document of status 406. Throws the
   * `EncodeError` of a value that cannot be encoded.
   */
  response<In = unknown>(request: Request, value: In, init?: ResponseInit & SendOptions<In>): Response;
  /** Resolves to a response with a stream of values. Rejects with the error of the values up to the first one. */
  streamResponse<In = unknown>(
    request: Request,
    values: ValuesToSend<In>,
    init?: ResponseInit & SendStreamOptions<In>,
  ): Promise<Response>;
  /** Returns the response to a {@link RequestError}. Any other error is status 500, and only `onError` sees it. Never throws. */
  problem(error: unknown): Response;
}

/**
 * Returns the functions that read and write bodies. Throws `ERR_INVALID_ARGUMENT` for an invalid option.
 *
 * @example
 * const http = bodies();
 * export default { fetch: async (request) => http.response(request, await http.read(request)) };
 */
export function bodies(options?: BodiesOptions): WebBodies {
  const settings = readSettings(options);
  const web: WebBodies = {
    read: async (request, callOptions) => readValue(incomingOf(request), settings, callOptions),
    readStream: (request, callOptions) => readValues(incomingOf(request), settings, callOptions),
    response(request, value, init) {
      const { pck, ...rest } = copyInit(init, ["pck"]);
      return answered(settings, () => {
        const { type, bytes } = encodeBody(acceptOf(request), value, settings, pck === undefined ? {} : { pck });
        const headers = headersOf(rest, type);
        headers.set("content-length", String(bytes.length));
        return new Response(request.method === "HEAD" ? null : bytes, { ...rest, headers });
      });
    },
    async streamResponse(request, values, init) {
      const { pck, early, ...rest } = copyInit(init, ["pck", "early"]);
      const recipient = recipientOf(request);
      const callOptions = { ...(pck && { pck }), ...(early !== undefined && { early }) };
      try {
        const { type, chunks } = await encodeValues(recipient, values, settings, callOptions);
        return new Response(recipient.isHead ? null : readableOf(chunks), { ...rest, headers: headersOf(rest, type) });
      } catch (error) {
        return answerTo(error, settings);
      }
    },
    problem: (error) => problemResponse(error, settings),
  };
  return web;
}

/** Copies the `init` of a response. Names that resemble neither `names` nor the ones of `ResponseInit` are passed on to Response. */
function copyInit<T extends object>(init: T | undefined, names: readonly string[]): T {
  const given = ownOptions(init, "init");
  refuseSimilar(given, [...names, "status", "statusText", "headers"]);
  const { status, statusText } = given as ResponseInit;
  if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status < 600))
    throw invalidArgument("status must be an integer from 200 to 599");
  if (statusText !== undefined && typeof statusText !== "string") throw invalidArgument("statusText must be a text");
  return given;
}

function answered(settings: Settings, make: () => Response): Response {
  try {
    return make();
  } catch (error) {
    return answerTo(error, settings);
  }
}

/** Returns the answer to a {@link RequestError}. Rethrows other errors, such as an `EncodeError` of the value. */
function answerTo(error: unknown, settings: Settings): Response {
  if (error instanceof RequestError) return problemResponse(error, settings);
  throw error;
}

/** Returns the answer to an error: status 500 unless it is a {@link RequestError} with valid headers. */
function problemResponse(error: unknown, settings: Settings): Response {
  const known = toRequestError(error);
  settings.onError(known);
  try {
    return known.getResponse();
  } catch (failure) {
    return problemResponse(failure, settings);
  }
}

function acceptOf(request: Request): string | undefined {
  checkArgument(request, "headers", "a Request");
  return request.headers.get("accept") ?? undefined;
}

/** Returns the client of a Request, for a stream. */
export function recipientOf(request: Request): Recipient {
  return { accept: acceptOf(request), isHead: request.method === "HEAD", left: request.signal };
}

function headersOf({ headers: given, status = 200 }: ResponseInit, type: string): Headers {
  if (status === 204 || status === 205 || status === 304)
    throw invalidArgument(`an answer with status ${status} has no body`);
  const headers = headersOption(given);
  headers.set("content-type", type);
  headers.set("vary", append(headers.get("vary") ?? "", "Accept"));
  return headers;
}

/** Returns a Request as an {@link Incoming}. A body that is left early stays open: the rest is discarded during the answer. */
export function incomingOf(request: Request): Incoming {
  checkArgument(request, "headers", "a Request");
  return {
    header: (name) => request.headers.get(name) ?? undefined,
    body() {
      if (request.bodyUsed) throw invalidArgument("the body of the request has been read already");
      return partsOf(request.body);
    },
  };
}
