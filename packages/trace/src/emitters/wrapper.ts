/** Functions that run another one in the scope of an AsyncResource: with all storages, ours and others', of its place. */
import type { AsyncResource } from "node:async_hooks";

/** The name of our asynchronous resources, as async_hooks shows it. */
export const RESOURCE = "MOONPACK_TRACE";

// biome-ignore lint/complexity/noBannedTypes: whatever users hand to an emitter
export type Listener = Function & { readonly listener?: unknown };

type Call = (this: unknown, ...args: unknown[]) => unknown;

/**
 * A function that runs another one in a scope. Its `listener` is what Node finds, shows and removes it by: that function, or what
 * this one stands for itself.
 */
export function wrapper(resource: AsyncResource, listener: Listener): Listener {
  const wrapped = function (this: unknown, ...args: unknown[]): unknown {
    return resource.runInAsyncScope(listener as Call, this, ...args);
  };
  wrapped.listener = listener.listener || listener;
  return wrapped;
}

/** The same for the wrapper of Node's `once`, which removes itself before it runs: this one does it in its place. */
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

/** True for what Node's `once` and `prependOnceListener` hand to `on` and `prependListener`. */
export function isOnceWrapper(listener: Listener): boolean {
  return listener.name === "bound onceWrapper" && typeof listener.listener === "function";
}
