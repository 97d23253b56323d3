/**
 * Whether a dispatcher of undici goes straight to the origin that a request names. Undici tells it nowhere, so its parts are read.
 * What is not known counts as going elsewhere: other classes (Client, Pool, RetryAgent, MockAgent ..), options, interceptors.
 */
import { areHarmless, classOf, hasNoInterceptors, part, property } from "./dispatcher-parts.js";
import type { DispatchOptions } from "./interceptor.js";

/** True if a request goes to its origin and nowhere else. */
export type DispatcherPath = (request: DispatchOptions) => boolean;

/** The path of a dispatcher. `behindWrapper` finds the one that undici 8 may have wrapped for older copies. */
export function pathOf(dispatcher: object, behindWrapper: () => object | undefined): DispatcherPath {
  switch (classOf(dispatcher)) {
    case "Agent":
      return (request) => isPlain(dispatcher) && !redirects(dispatcher, request);
    case "ProxyAgent":
      return pathOfProxy(dispatcher);
    case "EnvHttpProxyAgent":
      return pathOfEnvironment(dispatcher);
    case "Dispatcher1Wrapper":
      return (request) => {
        const inner = behindWrapper();
        return inner !== undefined && isWrapped(dispatcher, inner) && pathOf(inner, () => undefined)(request);
      };
    default:
      return () => false;
  }
}

/** The path of a pool or a client whose origin the user has told: its connector may go anywhere, but no redirect is followed. */
export function pathToOrigin(dispatcher: object): DispatcherPath {
  const isFollowing = (request: DispatchOptions) => redirects(dispatcher, request);
  switch (classOf(dispatcher)) {
    case "Client":
      return (request) => hasNoInterceptors(dispatcher) && !isFollowing(request);
    case "Pool":
      return (request) => isPlainPool(dispatcher) && !isFollowing(request);
    default:
      return () => false;
  }
}

/** Whether a request is on a path; one that throws does not know it. */
export function isOnPath(path: DispatcherPath, request: DispatchOptions): boolean {
  try {
    return path(request);
  } catch {
    return false; // a factory of the user's may throw
  }
}

/** Through a tunnel, encrypted; the proxy reads what goes to http. */
function pathOfProxy(dispatcher: object): DispatcherPath {
  let makesPools: boolean | undefined;
  return (request) => {
    const agent = part(dispatcher, "proxy agent");
    if (agent === undefined || !String(request.origin).startsWith("https:")) return false;
    if (!hasNoInterceptors(dispatcher) || !isPlainOfProxy(agent) || redirects(agent, request)) return false;
    return (makesPools ??= makesPlainPools(agent, request.origin));
  };
}

/** It chooses by the variable NO_PROXY, which may change, so all that it may choose have to be known. */
function pathOfEnvironment(dispatcher: object): DispatcherPath {
  const paths = ["no proxy agent", "http proxy agent", "https proxy agent"].map((name) => {
    const agent = part(dispatcher, name);
    return agent === undefined ? undefined : pathOf(agent, () => undefined);
  });
  return (request) => {
    const isEncrypted = String(request.origin).startsWith("https:");
    return [paths[0], paths[isEncrypted ? 2 : 1]].every((path) => path?.(request) === true);
  };
}

/** True for an agent without a connector or pools of somebody else's, a Unix socket, or interceptors. */
function isPlain(agent: object): boolean {
  const options = part(agent, "options");
  return isMadeBy(agent, "defaultFactory") && options !== undefined && areHarmless(options);
}

/** The same for the agent of a proxy, which has a connector and a factory of undici's. */
function isPlainOfProxy(agent: object): boolean {
  const options = part(agent, "options");
  return isMadeBy(agent, "factory") && options !== undefined && areHarmless({ ...options, connect: undefined });
}

/** The same for a pool, which keeps its connector among its options. */
function isPlainPool(pool: object): boolean {
  const options = part(pool, "options");
  return isMadeBy(pool, "defaultFactory") && options !== undefined && areHarmless({ ...options, connect: undefined });
}

function isMadeBy(agent: object, factoryName: string): boolean {
  const factory = property(agent, "factory");
  return typeof factory === "function" && factory.name === factoryName && hasNoInterceptors(agent);
}

/**
 * A proxy's agent hides the factory that the user gave it, so a pool is made to see: one with undici's own clients, and the agent's
 * connector. It has no connection, and is dropped.
 */
function makesPlainPools(agent: object, origin: unknown): boolean {
  const factory = property(agent, "factory") as (origin: unknown, options: object) => unknown;
  const options = part(agent, "options")!;
  const pool = factory(origin, options);
  if (typeof pool !== "object" || pool === null || classOf(pool) !== "Pool") return false;
  const own = part(pool, "options");
  return (
    isMadeBy(pool, "defaultFactory") &&
    own !== undefined &&
    Reflect.get(own, "connect") === Reflect.get(options, "connect")
  );
}

/** Undici 6 follows redirects in the agent, with all headers that the first request had. */
function redirects(agent: object, { maxRedirections }: DispatchOptions): boolean {
  return Number(maxRedirections ?? property(agent, "maxRedirections") ?? 0) > 0;
}

/** True if a wrapper is that of a dispatcher: it shows the dispatcher's property, which is another one for this moment. */
function isWrapped(wrapper: object, dispatcher: object): boolean {
  const name = "webSocketOptions";
  const mark = {};
  const own = Object.getOwnPropertyDescriptor(dispatcher, name);
  Object.defineProperty(dispatcher, name, { value: mark, configurable: true });
  try {
    return Reflect.get(wrapper, name) === mark;
  } finally {
    if (own === undefined) Reflect.deleteProperty(dispatcher, name);
    else Object.defineProperty(dispatcher, name, own);
  }
}
