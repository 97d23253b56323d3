/** Handlers of Fetch requests, such as frameworks export: `(request) => response`. */
import { runIn, switchOn } from "../context/storage.js";
import { describe, invalidArgument } from "../errors.js";
import { openRequest } from "../inbound/open-request.js";
import { readOptions, type TraceOptions } from "../inbound/options.js";
import { echoOf, whenOpened } from "./common.js";
import { nodeMessages, noteContext, outerOf } from "./fetch-contexts.js";
import { copyWithHeader } from "./response-copy.js";

/** A handler of Fetch requests, with more arguments of its server. */
export type FetchHandler<Rest extends unknown[]> = (request: Request, ...rest: Rest) => Response | Promise<Response>;

/**
 * Returns a handler that runs another one in the request's context. It rejects with the error of the handler or the factory. Throws
 * `ERR_INVALID_ARGUMENT` for invalid arguments.
 *
 * @example
 * export default { fetch: fetchHandler((request) => new Response(String(id())), { echoHeader: true }) };
 */
export function fetchHandler<Rest extends unknown[]>(
  handler: FetchHandler<Rest>,
  options?: TraceOptions<Request>,
): FetchHandler<Rest> {
  if (typeof handler !== "function") throw invalidArgument(`expected a function, not ${describe(handler)}`);
  const settings = readOptions(options);
  if (!settings.enabled) return handler;
  switchOn();
  return async function (this: unknown, request, ...rest) {
    const outer = outerOf(nodeMessages(rest[0]), [request]);
    return whenOpened(openRequest(settings, request, request, { outer }), (context) =>
      runIn(context, async () => {
        noteContext(context, [request]);
        const response = await handler.call(this, request, ...rest);
        const text = echoOf(settings, context);
        return text === undefined ? response : withHeader(response, settings.headerName, text);
      }),
    );
  };
}

/**
 * Returns a response with one more header: the same object if its headers may change, else a copy. A response without a body may be
 * used for several requests, so it is copied.
 */
function withHeader(response: Response, name: string, value: string): Response {
  if (typeof (response as Response | undefined)?.headers?.set !== "function") return response;
  try {
    if (response.body !== null || response.status < 200) {
      response.headers.set(name, value);
      return response;
    }
  } catch {
    // The headers of a redirect, or of a response of `fetch`, may not change.
  }
  return copyWithHeader(response, name, value) ?? response;
}
