/** An interceptor for one's own dispatchers of undici. */
import { linesFor } from "./active.js";
import { type Destination, isAbsolute, originOf, proxiedTarget } from "./destination.js";
import { isOfDispatcher } from "./dispatcher-parts.js";
import { type InterceptorOptions, type Propagation, readOrigin, readPropagation } from "./options.js";
import { UndiciHeaders } from "./undici-headers.js";
import { warnOnce } from "./warning.js";

/** The options of a request as undici's dispatchers have them. */
export interface DispatchOptions {
  readonly origin?: unknown;
  readonly path?: unknown;
  readonly method?: unknown;
  readonly headers?: unknown;
  readonly maxRedirections?: unknown;
}

/** undici's `dispatch`, as it is called here. */
export type Dispatch = (options: DispatchOptions, handler: unknown) => boolean;

/** What undici's `compose` takes, of each version: makes a `dispatch` of another one, with the same types. */
export type UndiciInterceptor = <D extends (options: never, handler: never) => boolean>(dispatch: D) => D;

/**
 * An interceptor that adds the id and the trace of the place where a request is made. It has to be the first one, next to the
 * dispatcher: `agent.compose(undiciInterceptor({ to }), interceptors.redirect())`. Then each hop of redirects is matched anew;
 * behind another interceptor it adds nothing, unless `to` is `"any"`. Do not give `maxRedirections` to an agent or a client of
 * undici 6: it repeats all headers at each hop. A `Client` or `Pool` needs `origin`; a request that names another one then carries
 * nothing.
 *
 * @example
 * const pool = new Pool("http://api.internal", { connections: 10 })
 *   .compose(undiciInterceptor({ to: "api.internal", origin: "http://api.internal" }));
 */
export function undiciInterceptor(options: InterceptorOptions): UndiciInterceptor {
  const list = [readPropagation(options)];
  const fixed = readOrigin(options);
  const intercept = (dispatch: Dispatch): Dispatch => {
    const isKnown = isOfDispatcher(dispatch);
    if (!isKnown && !list[0]!.isAllowed(undefined))
      warnOnce(
        "MOONPACK_TRACE_DISPATCHER",
        "undiciInterceptor() stands behind another interceptor, which may follow redirects, so requests carry no id. " +
          "Put it first in compose()",
      );
    return (request, handler) => dispatch(withLines(list, request, fixed, isKnown), handler);
  };
  return intercept as UndiciInterceptor;
}

/**
 * The options of a request with the lines that it may carry: the same object if there are none. `fixed` is the origin that a
 * dispatcher connects to whatever the request says. `isKnown` is false if a request may go elsewhere than it says.
 */
export function withLines(
  list: readonly Propagation[],
  request: DispatchOptions,
  fixed: Destination | undefined,
  isKnown: boolean,
): DispatchOptions {
  try {
    return lined(list, request, fixed, isKnown);
  } catch {
    return request; // what is no request undici refuses, with its own error
  }
}

function lined(
  list: readonly Propagation[],
  request: DispatchOptions,
  fixed: Destination | undefined,
  isKnown: boolean,
): DispatchOptions {
  if (request.method === "CONNECT") return request;
  // With maxRedirections, undici 6 follows redirects behind us, with the headers of the first request.
  const destinations: (Destination | undefined)[] =
    isKnown && !(Number(request.maxRedirections) > 0) ? [] : [undefined];
  if (fixed !== undefined) destinations.push(fixed);
  if (request.origin !== undefined || fixed === undefined) {
    const told = originOf(request.origin, request.path);
    // A request that names another origin than its dispatcher's: one of both is wrong.
    if (fixed !== undefined && fixed.origin !== told?.origin) return request;
    destinations.push(told);
  }
  if (isAbsolute(request.path)) destinations.push(proxiedTarget(request.path));
  let headers: UndiciHeaders | undefined;
  const lines = linesFor(list, destinations, (name) => (headers ??= new UndiciHeaders(request.headers)).has(name));
  if (headers === undefined) return request;
  return { ...request, headers: headers.with(lines) };
}
