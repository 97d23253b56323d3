/** What is read of the dispatchers of undici 6 to 8, and of what they are made with. Undici tells none of it. */

/**
 * Options of an agent, a pool or a client that do not change where its requests go. Others count as not known. Those of a ProxyAgent
 * are there too, which it hands on to its agent.
 */
const HARMLESS: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "allowH2",
  "auth",
  "autoSelectFamily",
  "autoSelectFamilyAttemptTimeout",
  "bodyTimeout",
  "clientTtl",
  "connectTimeout",
  "connectionWindowSize",
  "connections",
  "eventSource",
  "h2Options",
  "headers",
  "headersTimeout",
  "initialWindowSize",
  "keepAliveMaxTimeout",
  "keepAliveTimeout",
  "keepAliveTimeoutThreshold",
  "localAddress",
  "maxCachedSessions",
  "maxConcurrentStreams",
  "maxHeaderSize",
  "maxOrigins",
  "maxRequestsPerClient",
  "maxResponseSize",
  "pingInterval",
  "pipelining",
  "preferH2",
  "proxyTls",
  "proxyTunnel",
  "requestTls",
  "strictContentLength",
  "token",
  "uri",
  "useH2c",
  "useMilo",
  "webSocket",
]);

/** Options of a connector of Node or undici that lead to another place than the host: a Unix socket, an open socket. */
const ELSEWHERE = ["path", "socketPath", "fd", "handle", "socket"] as const;

/** The property whose symbol has this description. */
export function property(owner: object, description: string): unknown {
  const key = Object.getOwnPropertySymbols(owner).find((symbol) => symbol.description === description);
  return key === undefined ? undefined : Reflect.get(owner, key);
}

/** The same, if it is an object. */
export function part(owner: object, description: string): object | undefined {
  const value = property(owner, description);
  return typeof value === "object" && value !== null ? value : undefined;
}

/** The classes of undici that are known, and what each extends. */
const BASES: ReadonlyMap<string | undefined, string> = /* @__PURE__ */ new Map([
  ["Agent", "DispatcherBase"],
  ["Client", "DispatcherBase"],
  ["Dispatcher1Wrapper", "Dispatcher"],
  ["EnvHttpProxyAgent", "DispatcherBase"],
  ["Pool", "PoolBase"],
  ["ProxyAgent", "DispatcherBase"],
]);

/** The name of a dispatcher's class, if it is one of undici's itself; undefined for all else. */
export function classOf(dispatcher: object): string | undefined {
  const own: unknown = Object.getPrototypeOf(dispatcher);
  const base: unknown = isObject(own) ? Object.getPrototypeOf(own) : undefined;
  if (!isObject(own) || !isObject(base)) return undefined;
  // Composed: interceptors may follow redirects with the headers that they got.
  if (Reflect.get(dispatcher, "dispatch") !== Reflect.get(own, "dispatch")) return undefined;
  const name = nameOf(own);
  // A class of the user's that extends one of undici's may send requests anywhere.
  return name !== undefined && nameOf(base) === BASES.get(name) ? name : undefined;
}

/** True if the options of an agent or a pool have nothing that changes where requests go. */
export function areHarmless(options: object): boolean {
  return Object.entries(options).every(([name, value]) => {
    if (value === undefined || value === null || HARMLESS.has(name)) return true;
    return (name === "connect" || name === "tls") && connectsToHost(value);
  });
}

/** Whether options of a connector let it go to the host of the request; functions may go anywhere. */
function connectsToHost(options: unknown): boolean {
  return isObject(options) && ELSEWHERE.every((name) => !Reflect.get(options, name));
}

/**
 * True if a dispatcher has no interceptors of the user's. Those of undici 6 are functions in a list; an agent and a client have one
 * of their own, for redirects, which it follows with all headers that the first request had.
 */
export function hasNoInterceptors(dispatcher: object): boolean {
  const list = property(dispatcher, "dispatch interceptors");
  return list === undefined || (Array.isArray(list) && list.every(isIdle));
}

/** True for undici's interceptor for redirects, if it follows none unless a request asks for it. */
function isIdle(interceptor: unknown): boolean {
  // Undici's has this option. Another one is not called.
  if (typeof interceptor !== "function" || !Function.prototype.toString.call(interceptor).includes("maxRedirections"))
    return false;
  const given = {};
  const dispatch: unknown = Reflect.apply(interceptor, undefined, [
    (_request: unknown, handler: unknown) => handler === given,
  ]);
  try {
    return typeof dispatch === "function" && Reflect.apply(dispatch, undefined, [{}, given]) === true;
  } catch {
    return false; // its handler of redirects refuses ours
  }
}

function nameOf(prototype: object): string | undefined {
  const made: unknown = Reflect.get(prototype, "constructor");
  return typeof made === "function" ? made.name : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
