/**
 * The dispatchers that `fetch` and undici's functions use unless told otherwise. Undici keeps them in properties of the global
 * object, for all its copies in a process. They are put behind a proxy whose `dispatch` adds headers: there each redirect of
 * `fetch` is a request of its own, and the caller's context is the current one.
 */
import { currentContext } from "../context/storage.js";
import { active } from "./active.js";
import { type DispatcherPath, pathOf } from "./dispatcher-path.js";
import { type Dispatch, type DispatchOptions, withLines } from "./interceptor.js";

const FIRST = /* @__PURE__ */ Symbol.for("undici.globalDispatcher.1");
const SECOND = /* @__PURE__ */ Symbol.for("undici.globalDispatcher.2");

/** What stands behind our proxies. */
const targets = /* @__PURE__ */ new WeakMap<object, object>();

/** By this our proxies tell what stands behind them: another copy of this package may have put its own around or below. */
const TARGET = /* @__PURE__ */ Symbol.for("moonpack.trace.dispatcher");

/** Puts the global dispatchers behind proxies. Node's own undici is loaded, which costs some milliseconds. */
export function watchGlobalDispatchers(): void {
  Reflect.get(globalThis, "Response");
  renewGlobalDispatchers();
}

/** The same for those that were set since. */
export function renewGlobalDispatchers(): void {
  for (const key of [FIRST, SECOND]) {
    const current: unknown = Reflect.get(globalThis, key);
    if (isDispatcher(current) && !isOurs(current)) Reflect.set(globalThis, key, proxyOf(current));
  }
}

/** Puts back what stood there, unless somebody has set another one: a proxy that is kept elsewhere adds nothing from now on. */
export function stopGlobalDispatchers(): void {
  for (const key of [FIRST, SECOND]) {
    const current: unknown = Reflect.get(globalThis, key);
    const target = typeof current === "object" && current !== null ? targets.get(current) : undefined;
    if (target !== undefined) Reflect.set(globalThis, key, target);
  }
}

function isDispatcher(value: unknown): value is { dispatch: Dispatch } {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "dispatch") === "function";
}

/** True for a proxy of ours, also behind those of other copies of this package. */
function isOurs(dispatcher: object): boolean {
  for (let each: unknown = dispatcher; isDispatcher(each); each = Reflect.get(each, TARGET))
    if (targets.has(each)) return true;
  return false;
}

/** The dispatcher behind all proxies, of other copies of this package too. */
function innermost(dispatcher: object): object {
  const target: unknown = Reflect.get(dispatcher, TARGET);
  return isDispatcher(target) ? innermost(target) : dispatcher;
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
  const path = pathOf(innermost(target), () => behindWrapper());
  const dispatch: Dispatch = (request: DispatchOptions, handler: unknown) =>
    target.dispatch(lined(path, request), handler);
  const methods = new WeakMap<object, unknown>();
  const proxy: object = new Proxy(target, {
    get(_target, key) {
      if (key === "dispatch") return dispatch;
      if (key === TARGET) return target;
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
  targets.set(proxy, target);
  return proxy;
}

function lined(path: DispatcherPath, request: DispatchOptions): DispatchOptions {
  if (active().length === 0 || currentContext() === undefined) return request;
  return withLines(active(), request, undefined, isKnown(path, request));
}

function isKnown(path: DispatcherPath, request: DispatchOptions): boolean {
  try {
    return path(request);
  } catch {
    return false; // a factory of the user's may throw
  }
}

/** What undici 8 has wrapped for older copies: the dispatcher of its own property. */
function behindWrapper(): object | undefined {
  const current: unknown = Reflect.get(globalThis, SECOND);
  return isDispatcher(current) ? innermost(current) : undefined;
}
