/** A handler for anything that takes a Request and returns a Response: workers, Deno, Bun, Next.js, Hono. */
import { bodies } from "@moonpack/http";
import type { AnyTRPCRouter } from "@trpc/server";
import { type FetchHandlerRequestOptions, fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { Exchange, type Inputs, inputsOf, unknownError } from "./exchange.js";
import { limited } from "./limited.js";
import { formsOf, type MsgpackHandlerOptions, placedHeaders, settingsOf, trimmed } from "./settings.js";

export { DecodeError, EncodeError, MoonpackError } from "moonpack/bytes";
export type { MsgpackOptions } from "../codec.js";
export type { MsgpackHandlerOptions } from "./settings.js";

/** Answers requests. */
export type FetchHandler = (request: Request) => Promise<Response>;

/**
 * Returns a handler with the options of tRPC's `fetchRequestHandler`. Requests in MessagePack are answered in MessagePack; all others as
 * by tRPC itself, with the router's transformer. `ERR_INVALID_ARGUMENT` for an invalid option.
 *
 * A body that is broken is `BAD_REQUEST` with code and offset, one that is too large `PAYLOAD_TOO_LARGE`, one of another type
 * `UNSUPPORTED_MEDIA_TYPE`: errors of tRPC, for `onError` and in its shape.
 *
 * @example
 * const handler = moonpackFetchHandler({ endpoint: "/trpc", router });
 * export default { fetch: handler };
 */
export function moonpackFetchHandler<TRouter extends AnyTRPCRouter>(
  options: Omit<FetchHandlerRequestOptions<TRouter>, "req"> & { readonly msgpack?: MsgpackHandlerOptions },
): FetchHandler {
  const { msgpack, ...rest } = options;
  const { codec, bodies: settings, maxBytes } = settingsOf(msgpack);
  const http = bodies(settings);
  const endpoint = trimmed(rest.endpoint);
  const given = rest as unknown as Omit<FetchHandlerRequestOptions<AnyTRPCRouter>, "req">;
  return async (request) => {
    const forms = formsOf(request.method, (name) => request.headers.get(name) ?? undefined);
    if (forms === undefined) return fetchRequestHandler({ ...given, req: limited(request, maxBytes) });
    const pathOf = () => trimmed(trimmed(new URL(request.url).pathname).slice(endpoint.length));
    const exchange = new Exchange(codec, forms, forms.isBinary ? await inputsOf(http.read(request)) : NONE);
    const placed = forms.isBinary ? placedRequest(request, exchange) : limited(request, maxBytes);
    try {
      const response = await fetchRequestHandler({
        ...given,
        req: placed,
        router: exchange.routerOf(given.router),
        // Other pages cannot send this Content-Type without asking, so queries may come by POST.
        allowMethodOverride: forms.isBinary || (given.allowMethodOverride ?? false),
        createContext: (context) => given.createContext?.({ ...context, req: request }),
        // Where all of a batch fails, tRPC names no path.
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

function placedRequest(request: Request, exchange: Exchange): Request {
  const body = exchange.body(new URL(request.url).searchParams.get("batch") === "1");
  const { method, url, signal } = request;
  return new Request(url, { method, headers: placedHeaders(request.headers), body, signal });
}
