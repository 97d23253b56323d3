/** A request listener that replaces tRPC's `createHTTPHandler` and its middleware for Express. */

import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { bodies } from "@moonpack/http/node";
import { type AnyTRPCRouter, getTRPCErrorFromUnknown, type TRPCError } from "@trpc/server";
import { createURL, incomingMessageToRequest } from "@trpc/server/adapters/node-http";
import { type CreateHTTPHandlerOptions, createHTTPHandler } from "@trpc/server/adapters/standalone";
import { resolveResponse } from "@trpc/server/http";
import { invalidArgument } from "moonpack/bytes";
import type { Codec } from "../codec.js";
import { Exchange, type Forms, inputsOf, unknownError } from "../server/exchange.js";
import { formsOf, jsonHeaders, type MsgpackHandlerOptions, settingsOf, trimmed } from "../server/settings.js";

/** Options of {@link moonpackHandler}: the options of tRPC's `createHTTPHandler`, and options of MessagePack. */
export type MoonpackHandlerOptions<TRouter extends AnyTRPCRouter> = CreateHTTPHandlerOptions<TRouter> & {
  /** Options of MessagePack. */
  readonly msgpack?: MsgpackHandlerOptions;
};

/** The options without the type of the router. */
type Given = CreateHTTPHandlerOptions<AnyTRPCRouter>;

/**
 * Returns a listener for Node's `http`, and for `app.use("/trpc", listener)` of Express. Requests in MessagePack get responses in
 * MessagePack; tRPC handles all others, with the router's transformer. Errors are the same as in `moonpackFetchHandler`.
 * Throws `ERR_INVALID_ARGUMENT` for an invalid option of MessagePack, and for a name similar to `msgpack` or an option of tRPC; other
 * options are passed on to tRPC.
 *
 * @example
 * createServer(moonpackHandler({ router, createContext })).listen(3000);
 */
export function moonpackHandler<TRouter extends AnyTRPCRouter>(
  options: MoonpackHandlerOptions<TRouter>,
): RequestListener {
  const { rest, codec, bodies: settings, maxBytes } = settingsOf(options);
  const http = bodies(settings);
  if (rest.basePath !== undefined && typeof rest.basePath !== "string")
    throw invalidArgument("basePath must be a text");
  // tRPC has no default limit. `maxBytes` applies to all bodies.
  const given: Given = { ...(rest as unknown as Given), maxBodySize: rest.maxBodySize ?? maxBytes };
  const plain = createHTTPHandler(given);
  const middleware = given.middleware ?? ((_request, _response, next) => next());
  return (request, response) => {
    const forms = formsOf(request.method, (name) => request.headers[name]?.toString());
    if (forms === undefined) return plain(request, response);
    middleware(request, response, (error?: unknown) => {
      const failure = error === undefined || error === null ? null : getTRPCErrorFromUnknown(error);
      const answered = answer({ given, codec, forms, failure }, http.read, request, response);
      void answered.catch(() => response.destroy());
    });
  };
}

interface Call {
  readonly given: Given;
  readonly codec: Codec;
  readonly forms: Forms;
  /** The error of the middleware. */
  readonly failure: TRPCError | null;
}

async function answer(
  { given, codec, forms, failure }: Call,
  read: (request: IncomingMessage) => Promise<unknown>,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const exchange = new Exchange(codec, forms, forms.isBinary ? await inputsOf(read(req)) : { value: undefined });
  const pathOf = (pathname: string) => trimmed(trimmed(pathname).slice(trimmed(given.basePath ?? "/").length));
  // For errors, also for an invalid URL.
  const path = pathOf(req.url?.split("?", 1)[0] ?? "");
  try {
    const url = createURL(req);
    const response = await resolveResponse({
      ...given,
      req: forms.isBinary
        ? jsonRequest(req, res, url, exchange)
        : incomingMessageToRequest(req, res, { maxBodySize: given.maxBodySize ?? null }),
      path: pathOf(url.pathname),
      router: exchange.routerOf(given.router),
      error: failure,
      allowMethodOverride: forms.isBinary || (given.allowMethodOverride ?? false),
      createContext: async ({ info }) => given.createContext?.({ req, res, info }),
      // tRPC omits the path when a whole batch fails.
      onError: (error) => given.onError?.({ ...error, path: error.path ?? path, req }),
    });
    await send(res, await exchange.answer(response));
  } catch (error) {
    given.onError?.({ req, ...unknownError(error, path) });
    await send(res, exchange.broken(given.router));
  }
}

/** Returns the request for tRPC: the headers, and indexes in the place of inputs. It is aborted when the client disconnects. */
function jsonRequest(req: IncomingMessage, res: ServerResponse, url: URL, exchange: Exchange): Request {
  const disconnect = new AbortController();
  res.once("close", () => {
    if (!res.writableFinished) disconnect.abort();
  });
  const lines = Object.entries(req.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  const given = new Headers(lines.filter(([name]) => !name.startsWith(":")));
  const { method = "POST" } = req;
  const body = exchange.body(url.searchParams.get("batch") === "1");
  return new Request(url, { method, headers: jsonHeaders(given), body, signal: disconnect.signal });
}

async function send(res: ServerResponse, response: Response): Promise<void> {
  const body = new Uint8Array(await response.arrayBuffer());
  // A status that a procedure has set is kept, as in tRPC's own adapters.
  if (res.statusCode === 200) res.statusCode = response.status;
  response.headers.forEach((value, name) => {
    if (name !== "set-cookie") res.setHeader(name, value);
  });
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) res.setHeader("set-cookie", cookies);
  res.end(body);
}
