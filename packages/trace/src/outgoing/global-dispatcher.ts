/**
 * The dispatchers that `fetch` and undici's functions use unless told otherwise. Undici keeps them in properties of the global
 * object, for all its copies in a process. They are put behind a proxy whose `dispatch` adds headers: there each redirect of
 * `fetch` is a request of its own, and the caller's context is the current one.
 */
import { currentContext } from "../context/storage.js";
import { active } from "./active.js";
import { type DispatcherPath, isOnPath, pathOf } from "./dispatcher-path.js";
import { type Dispatch, type DispatchOptions, withLines } from "./interceptor.js";
import {
  behindWrapper,
  GLOBAL_DISPATCHER_1,
  GLOBAL_DISPATCHER_2,
  innermost,
  isDispatcher,
  type Link,
  PROXY_LINK,
  targetOf,
} from "./watched.js";

/** What stands behind our proxies, those of this copy of the package. */
const targets = /* @__PURE__ */ new WeakMap<object, object>();

/** Puts the global dispatchers behind proxies. Node's own undici is loaded, which costs some milliseconds. */
export function watchGlobalDispatchers(): void {
  Reflect.get(globalThis, "Response");
  renewGlobalDispatchers();
}

/** The same for those that were set since. */
export function renewGlobalDispatchers(): void {
  for (const key of [GLOBAL_DISPATCHER_1, GLOBAL_DISPATCHER_2]) {
    const current: unknown = Reflect.get(globalThis, key);
    if (isDispatcher(current) && !isOurs(current)) Reflect.set(globalThis, key, proxyOf(current));
  }
}

/** Puts back what stood there, unless somebody has set another one: a proxy that is kept elsewhere adds nothing from now on. */
export function stopGlobalDispatchers(): void {
  for (const key of [GLOBAL_DISPATCHER_1, GLOBAL_DISPATCHER_2]) {
    const current: unknown = Reflect.get(globalThis, key);
    const target = typeof current === "object" && current !== null ? targets.get(current) : undefined;
    if (target !== undefined) Reflect.set(globalThis, key, target);
  }
}

/** True for a proxy of ours, also behind those of other copies of this package. */
function isOurs(dispatcher: object): boolean {
  for (let each: object | undefined = dispatcher; each !== undefined; each = targetOf(each))
    if (targets.has(each)) return true;
  return false;
}

/** Methods that go by `this.dispatch`: they are left to the proxy. All others run on the dispatcher, which has private fields. */
function isBuiltOnDispatch(key: string | symbol): boolean {
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
  const path = pathOf(innermost(target), behindWrapper);
  const dispatch: Dispatch = (request: DispatchOptions, handler: unknown) =>
    target.dispatch(lined(path, request), handler);
  const methods = new WeakMap<object, unknown>();
  const proxy: object = new Proxy(target, {
    get(_target, key) {
      if (key === "dispatch") return dispatch;
      if (key === PROXY_LINK) return link;
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function" || isBuiltOnDispatch(key)) return value;
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

function lined(path: DispatcherPath, request: DispatchOptions): DispatchOptions {
  if (active().length === 0 || currentContext() === undefined) return request;
  return withLines(active(), request, undefined, isOnPath(path, request));
}
