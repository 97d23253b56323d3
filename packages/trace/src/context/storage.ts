/** The one AsyncLocalStorage of all copies of this package. It holds the current {@link Context}. */
import { AsyncLocalStorage } from "node:async_hooks";
import { shared } from "../shared.js";
import { type Context, Contexts } from "./context.js";

/**
 * Made at import, which enables nothing: on Node 20 and 22 the first `run` enables the hooks that make every promise slower.
 */
const storage = /* @__PURE__ */ shared("storage", () => new AsyncLocalStorage<Context | undefined>());

/** Returns the current context; undefined outside. */
export function currentContext(): Context | undefined {
  return storage.getStore();
}

/**
 * Calls `fn` with the arguments in a context, or outside of any for undefined. Returns its result. Needs no closure.
 */
export function runIn<A extends unknown[], R>(context: Context | undefined, fn: (...args: A) => R, ...args: A): R {
  return storage.run(context, fn, ...args);
}

/**
 * Makes the rest of the current asynchronous scope run in a context. It outlives the caller, so use it only where {@link runIn} is not
 * possible.
 */
export function enterContext(context: Context | undefined): void {
  storage.enterWith(context);
}

/**
 * Enables the storage for good. Each function that returns a middleware calls it: on Node 20 and 22, promises that were made before have
 * no context.
 */
export function switchOn(): void {
  // Not with undefined: Node returns early from `run` if the store is the current one.
  storage.run(Contexts.empty(), nothing);
}

function nothing(): void {}
