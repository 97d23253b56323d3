/** A handler from Request to Response: for workers, Deno, Bun, Next.js, Hono. */
import { bodies } from "@moonpack/http";
import type { AnyTRPCRouter } from "@trpc/server";
import { type FetchHandlerRequestOptions, fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { invalidArgument } from "moonpack/bytes";
import { Exchange, type Inputs, inputsOf, unknownError } from "./exchange.js";
import { limited } from "./limited.js";
import { formsOf, jsonHeaders, type MsgpackHandlerOptions, settingsOf, trimmed } from "./settings.js";

export { DecodeError, EncodeError, MoonpackError } from "moonpack/bytes";
export type { MsgpackOptions } from "../codec.js";
export type { MsgpackHandlerOptions } from "./settings.js";

/** Answers requests. */
export type FetchHandler = (request: Request) => Promise<Response>;

/**
 * Returns a handler with the options of tRPC's `fetchRequestHandler`, and `msgpack`. Requests in MessagePack get responses in MessagePack;
 * tRPC handles all others, with the router's transformer. Throws `ERR_INVALID_ARGUMENT` for an invalid option of MessagePack, and for a
 * name similar to `msgpack` or an option of tRPC; other options are passed on to tRPC.
 *
 * An invalid body is `BAD_REQUEST` with code and offset, a too large body `PAYLOAD_TOO_LARGE`, a body of another type
 * `UNSUPPORTED_MEDIA_TYPE`: errors of tRPC, for `onError` and in its shape.
 *
 * @example
 * const handler = moonpackFetchHandler({ endpoint: "/trpc", router });
 * export default { fetch: handler };
 */
export function moonpackFetchHandler<TRouter extends AnyTRPCRouter>(
  options: Omit<FetchHandlerRequestOptions<TRouter>, "req"> & { readonly msgpack?: MsgpackHandlerOptions },
): FetchHandler {
  const { rest, codec, bodies: settings, maxBytes } = settingsOf(options);
  if (typeof rest.endpoint !== "string") throw invalidArgument("endpoint must be a text");
  const http = bodies(settings);
  const endpoint = trimmed(rest.endpoint);
  const given = rest as unknown as Omit<FetchHandlerRequestOptions<AnyTRPCRouter>, "req">;
  return async (request) => {
    const forms = formsOf(request.method, (name) => request.headers.get(name) ?? undefined);
    if (forms === undefined) return fetchRequestHandler({ ...given, req: limited(request, maxBytes) });
    const pathOf = () => trimmed(trimmed(new URL(request.url).pathname).slice(endpoint.length));
    const exchange = new Exchange(codec, forms, forms.isBinary ? await inputsOf(http.read(request)) : NONE);
    const replaced = forms.isBinary ? jsonRequest(request, exchange) : limited(request, maxBytes);
    try {
      const response = await fetchRequestHandler({
        ...given,
        req: replaced,
        router: exchange.routerOf(given.router),
        // Pages of other origins need a preflight for this Content-Type, so POST is allowed for queries.
        allowMethodOverride: forms.isBinary || (given.allowMethodOverride ?? false),
        createContext: (context) => given.createContext?.({ ...context, req: request }),
        // tRPC omits the path when a whole batch fails.
        onError: (error) => given.onError?.({ ...error, path: error.path ?? pathOf(), req: request }),
      });
      return await exchange.answer(response);
    } catch (error) {
      given.onError?.({ req: request, ...unknownError(error, pathOf()) });
      return exchange.broken(given.router);
    }
  };
}

const NONE: Inputs = { value: undefined };

function jsonRequest(request: Request, exchange: Exchange): Request {
  const body = exchange.body(new URL(request.url).searchParams.get("batch") === "1");
  const { method, url, signal } = request;
  return new Request(url, { method, headers: jsonHeaders(request.headers), body, signal });
}
