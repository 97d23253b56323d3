/**
 * The dispatchers that `fetch` and undici's functions use by default. Undici keeps them in properties of the global object, for all its
 * copies in a process. `propagate` replaces them with a proxy whose `dispatch` adds headers: each redirect of `fetch` is a request
 * there, and the caller's context is current.
 */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { shared } from "../shared.js";
import { type Dispatch, withLines } from "./interceptor.js";
import { propagations } from "./propagations.js";

/** The properties of the global object: up to undici 7, and since undici 8. */
const GLOBAL_DISPATCHERS: readonly symbol[] = /* @__PURE__ */ [
  /* @__PURE__ */ Symbol.for("undici.globalDispatcher.1"),
  /* @__PURE__ */ Symbol.for("undici.globalDispatcher.2"),
];

/** A documented channel of undici: a message for each new request. */
const CHANNEL = "undici:request:create";

/** The property in which a proxy shows its target, also to other versions of this package, which add proxies too. */
const PROXY_LINK = /* @__PURE__ */ Symbol.for("moonpack.trace.dispatcher");

/** The value of {@link PROXY_LINK}. */
interface Link {
  readonly proxy: object;
  readonly target: object;
}

/** The targets of the proxies. */
const targets = /* @__PURE__ */ shared("dispatchers", () => new WeakMap<object, object>());

/**
 * Puts the global dispatchers behind proxies. Loads Node's own undici, which takes some milliseconds. Returns a function that restores
 * the former ones.
 */
export function watchGlobalDispatchers(): () => void {
  Reflect.get(globalThis, "Response");
  proxyGlobalDispatchers();
  subscribe(CHANNEL, proxyGlobalDispatchers);
  return unwatchGlobalDispatchers;
}

/** Restores the former dispatchers, unless other code has set another one. A proxy that is still in use adds nothing any more. */
function unwatchGlobalDispatchers(): void {
  unsubscribe(CHANNEL, proxyGlobalDispatchers);
  for (const key of GLOBAL_DISPATCHERS) {
    const current: unknown = Reflect.get(globalThis, key);
    const target = typeof current === "object" && current !== null ? targets.get(current) : undefined;
    if (target !== undefined) Reflect.set(globalThis, key, target);
  }
}

/** Runs again at each request: a dispatcher may have been set since. */
function proxyGlobalDispatchers(): void {
  for (const key of GLOBAL_DISPATCHERS) {
    const current: unknown = Reflect.get(globalThis, key);
    if (isDispatcher(current) && !isProxied(current)) Reflect.set(globalThis, key, proxyOf(current));
  }
}

/** True for a proxy, also behind proxies of other versions, and behind undici's `compose`, which shows the link too. */
function isProxied(dispatcher: object): boolean {
  for (let link = linkOf(dispatcher); link !== undefined; link = linkOf(link.target))
    if (targets.has(link.proxy)) return true;
  return false;
}

function linkOf(dispatcher: object): Link | undefined {
  return Reflect.get(dispatcher, PROXY_LINK) as Link | undefined;
}

function isDispatcher(value: unknown): value is { dispatch: Dispatch } {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "dispatch") === "function";
}

/** Methods that call `this.dispatch`: they run on the proxy. Others run on the dispatcher, which has private fields. */
function callsDispatch(key: string | symbol): boolean {
  switch (key) {
    case "constructor":
    case "compose":
    case "request":
    case "stream":
    case "pipeline":
    case "connect":
    case "upgrade":
      return true;
    default:
      return false;
  }
}

function proxyOf(target: { dispatch: Dispatch }): object {
  const dispatch: Dispatch = (request, handler) => target.dispatch(withLines(propagations.active, request), handler);
  const methods = new WeakMap<object, unknown>();
  const proxy: object = new Proxy(target, {
    get(_target, key) {
      if (key === "dispatch") return dispatch;
      if (key === PROXY_LINK) return link;
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function" || callsDispatch(key)) return value;
      let method = methods.get(value);
      if (method === undefined) {
        method = function (this: unknown, ...args: unknown[]): unknown {
          const result: unknown = Reflect.apply(value, this === proxy ? target : this, args);
          return result === target ? proxy : result;
        };
        methods.set(value, method);
      }
      return method;
    },
    set: (_target, key, value) => Reflect.set(target, key, value, target),
  });
  const link: Link = { proxy, target };
  targets.set(proxy, target);
  return proxy;
}
