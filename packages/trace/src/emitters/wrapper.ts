/** Functions that run another one in the scope of an AsyncResource, with the state of all storages there. */
import type { AsyncResource } from "node:async_hooks";

/** The type of our asynchronous resources in async_hooks. */
export const RESOURCE = "MOONPACK_TRACE";

// biome-ignore lint/complexity/noBannedTypes: users pass any function to an emitter
export type Listener = Function & { readonly listener?: unknown };

type Call = (this: unknown, ...args: unknown[]) => unknown;

/**
 * Returns a function that runs a listener in a scope. Node finds, shows and removes it by its property `listener`: the listener, or the
 * function that the listener stands for.
 */
export function wrapper(resource: AsyncResource, listener: Listener): Listener {
  const wrapped = function (this: unknown, ...args: unknown[]): unknown {
    return resource.runInAsyncScope(listener as Call, this, ...args);
  };
  wrapped.listener = listener.listener || listener;
  return wrapped;
}

/** Returns the same for Node's wrapper of `once`, which removes itself before it runs: this function is removed instead. */
export function onceWrapper(
  resource: AsyncResource,
  emitter: { removeListener(event: string | symbol, listener: Listener): unknown },
  event: string | symbol,
  once: Listener,
): Listener {
  const wrapped = function (this: unknown, ...args: unknown[]): unknown {
    emitter.removeListener(event, wrapped);
    return resource.runInAsyncScope(once as Call, this, ...args);
  };
  wrapped.listener = once.listener;
  return wrapped;
}

/** True for the wrapper that Node's `once` and `prependOnceListener` pass to `on` and `prependListener`. */
export function isOnceWrapper(listener: Listener): boolean {
  return listener.name === "bound onceWrapper" && typeof listener.listener === "function";
}
