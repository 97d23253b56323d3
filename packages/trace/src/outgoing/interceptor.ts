/** An interceptor for dispatchers of undici that you make yourself. */

import { type Destination, isAbsolute, originOf, proxiedTarget } from "./destination.js";
import { type InterceptorOptions, type Propagation, readInterceptor } from "./options.js";
import { linesFor } from "./propagations.js";
import { UndiciHeaders } from "./undici-headers.js";

/** The options of a request as undici's dispatchers get them. */
export interface DispatchOptions {
  readonly origin?: unknown;
  readonly path?: unknown;
  readonly method?: unknown;
  readonly headers?: unknown;
  readonly maxRedirections?: unknown;
}

/** undici's `dispatch`, as it is called here. */
export type Dispatch = (options: DispatchOptions, handler: unknown) => boolean;

/** An interceptor for `compose` of undici 6 to 8: returns a `dispatch` with the types of the given one. */
export type UndiciInterceptor = <D extends (options: never, handler: never) => boolean>(dispatch: D) => D;

/**
 * Returns an interceptor that adds the current id and trace to requests whose own `origin` is allowed by `origins`. Put it first in
 * `compose()`: then the redirect interceptor behind it sends each hop through it. It cannot know where the dispatcher really connects
 * to: see "Other services" in docs/trace.md. A request of a `Client` or `Pool` carries headers only if it names its `origin`.
 * Throws `ERR_INVALID_ARGUMENT` for invalid options.
 *
 * @example
 * const agent = new Agent().compose(undiciInterceptor({ origins: ({ hostname }) => hostname.endsWith(".internal") }));
 */
export function undiciInterceptor(options: InterceptorOptions): UndiciInterceptor {
  const list = [readInterceptor(options)];
  const intercept =
    (dispatch: Dispatch): Dispatch =>
    (request, handler) =>
      dispatch(withLines(list, request), handler);
  return intercept as UndiciInterceptor;
}

/** Returns a request's options with the headers that it may carry: the same object if there are none. */
export function withLines(list: readonly Propagation[], request: DispatchOptions): DispatchOptions {
  try {
    return addLines(list, request);
  } catch {
    return request; // undici rejects invalid requests itself
  }
}

function addLines(list: readonly Propagation[], request: DispatchOptions): DispatchOptions {
  if (request.method === "CONNECT") return request;
  const destinations: (Destination | undefined)[] = [originOf(request.origin, request.path)];
  // A request to a proxy for a whole URL: both must be allowed.
  if (isAbsolute(request.path)) destinations.push(proxiedTarget(request.path));
  // undici 6 follows the redirects itself, and repeats the headers to unknown destinations.
  if (Number(request.maxRedirections) > 0) destinations.push(undefined);
  let headers: UndiciHeaders | undefined;
  const lines = linesFor(list, destinations, (name) => (headers ??= new UndiciHeaders(request.headers)).has(name));
  if (headers === undefined) return request;
  return { ...request, headers: headers.with(lines) };
}
