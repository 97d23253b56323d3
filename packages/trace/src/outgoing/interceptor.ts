/** An interceptor for one's own dispatchers of undici. */
import { currentContext } from "../context/storage.js";
import { headerNamesFor, linesFor } from "./active.js";
import { partsOfBound } from "./bound-function.js";
import { type Destination, isAbsolute, originOf, proxiedTarget } from "./destination.js";
import { type DispatcherPath, isOnPath, pathOf, pathToOrigin } from "./dispatcher-path.js";
import { type InterceptorOptions, type Propagation, readOrigin, readPropagation, readTrust } from "./options.js";
import { UndiciHeaders } from "./undici-headers.js";
import { warnOnce } from "./warning.js";
import { behindWrapper, innermost, isDispatcher } from "./watched.js";

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
 * dispatcher: `agent.compose(undiciInterceptor({ to }), interceptors.redirect())`. Then each hop of redirects is matched anew. Next
 * to a dispatcher that may go elsewhere than a request says, or follow redirects by itself, it adds nothing, unless `to` is `"any"`
 * or `trustDispatcher` says that it does not. A `Client` or `Pool` needs `origin`; a request that names another one then carries
 * nothing.
 *
 * @example
 * const pool = new Pool("http://api.internal", { connections: 10 })
 *   .compose(undiciInterceptor({ to: "api.internal", origin: "http://api.internal" }));
 */
export function undiciInterceptor(options: InterceptorOptions): UndiciInterceptor {
  const list = [readPropagation(options)];
  const fixed = readOrigin(options);
  const isTrusted = readTrust(options) || list[0]!.isAllowed(undefined);
  const intercept = (dispatch: Dispatch): Dispatch => {
    const path = isTrusted ? () => true : pathBehind(dispatch, fixed !== undefined);
    return (request, handler) => {
      const isKnown = isOnPath(path, request);
      if (!isKnown) warnOfUnknown(list, fixed, request);
      return dispatch(withLines(list, request, fixed, isKnown), handler);
    };
  };
  return intercept as UndiciInterceptor;
}

/**
 * The path of the dispatcher whose own `dispatch` an interceptor got. `hasOrigin` is true if the user has told the origin. All that
 * is not the bound method of a dispatcher of undici is another interceptor, or somebody's who may follow redirects.
 */
function pathBehind(dispatch: unknown, hasOrigin: boolean): DispatcherPath {
  const parts =
    typeof dispatch === "function" && dispatch.name === "bound dispatch" ? partsOfBound(dispatch) : undefined;
  const { receiver } = parts ?? {};
  if (!isDispatcher(receiver) || Reflect.get(receiver, "dispatch") !== parts?.target) return () => false;
  const dispatcher = innermost(receiver);
  const direct = pathOf(dispatcher, behindWrapper);
  const toOrigin = hasOrigin ? pathToOrigin(dispatcher) : () => false;
  return (request) => direct(request) || toOrigin(request);
}

function warnOfUnknown(list: readonly Propagation[], fixed: Destination | undefined, request: DispatchOptions): void {
  const told = fixed ?? originOf(request?.origin, request?.path);
  if (currentContext() === undefined || headerNamesFor(list, [told]) === undefined) return;
  warnOnce(
    "MOONPACK_TRACE_DISPATCHER",
    "undiciInterceptor() stands next to another interceptor or a dispatcher that may go elsewhere or follow redirects, " +
      "so requests carry no id. Put it first in compose(), tell a Client's or Pool's origin, or see trustDispatcher",
  );
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
