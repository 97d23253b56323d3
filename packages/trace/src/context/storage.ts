/** The one AsyncLocalStorage of this package. What it holds is the current {@link Context}. */
import { AsyncLocalStorage } from "node:async_hooks";
import { Context } from "./context.js";

/**
 * Made at import, which switches nothing on: on Node 20 and 22 the first `run` enables the hooks that make every promise
 * cost more.
 */
const storage = /* @__PURE__ */ new AsyncLocalStorage<Context | undefined>();

/** The context that the caller runs in; undefined outside. */
export function currentContext(): Context | undefined {
  return storage.getStore();
}

/**
 * Calls `fn` with the arguments in a context, or outside of any; returns its result.
 * Adapters: this is how a request's code is entered. No closure is needed.
 */
export function runIn<A extends unknown[], R>(context: Context | undefined, fn: (...args: A) => R, ...args: A): R {
  return storage.run(context, fn, ...args);
}

/**
 * Makes the current asynchronous scope run in a context from here on. It outlives the caller, so it is only for code that
 * has no other way: Hapi's `inject`, OpenTelemetry.
 */
export function enterContext(context: Context | undefined): void {
  storage.enterWith(context);
}

/**
 * Switches the storage on. Each maker of a middleware calls it: a promise that was made before has no context on Node 20
 * and 22. Switched on, it stays on.
 */
export function switchOn(): void {
  // Node returns early from `run` if the store is the current one, so undefined would not do.
  storage.run(Context.empty(), nothing);
}

function nothing(): void {}
