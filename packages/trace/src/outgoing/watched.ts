/** The proxies that global dispatchers are put behind, and what stands behind them. */
import type { Dispatch } from "./interceptor.js";

/** Where undici keeps its global dispatchers: up to version 7, and since 8. */
export const GLOBAL_DISPATCHER_1 = /* @__PURE__ */ Symbol.for("undici.globalDispatcher.1");
export const GLOBAL_DISPATCHER_2 = /* @__PURE__ */ Symbol.for("undici.globalDispatcher.2");

/** By this a proxy tells what stands behind it: another copy of this package may have put its own around or below. */
export const PROXY_LINK = /* @__PURE__ */ Symbol.for("moonpack.trace.dispatcher");

/** What {@link PROXY_LINK} tells. */
export interface Link {
  /** The proxy itself: undici's `compose` makes proxies of its own around it, which show the link too. */
  readonly proxy: object;
  readonly target: object;
}

/** What stands behind a proxy, of whatever copy; undefined for all else. */
export function targetOf(dispatcher: object): object | undefined {
  const link: unknown = Reflect.get(dispatcher, PROXY_LINK);
  if (typeof link !== "object" || link === null || Reflect.get(link, "proxy") !== dispatcher) return undefined;
  const target: unknown = Reflect.get(link, "target");
  return isDispatcher(target) ? target : undefined;
}

/** The dispatcher behind all proxies. */
export function innermost(dispatcher: object): object {
  const target = targetOf(dispatcher);
  return target === undefined ? dispatcher : innermost(target);
}

/** What undici 8 has wrapped for older copies: the dispatcher of its own property. */
export function behindWrapper(): object | undefined {
  const current: unknown = Reflect.get(globalThis, GLOBAL_DISPATCHER_2);
  return isDispatcher(current) ? innermost(current) : undefined;
}

/** True for what has a `dispatch`. */
export function isDispatcher(value: unknown): value is { dispatch: Dispatch } {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "dispatch") === "function";
}
