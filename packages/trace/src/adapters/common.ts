/** Functions for all adapters of frameworks. */
import { type Context, Contexts } from "../context/context.js";
import { ownerOf, resourceFor } from "../emitters/binding.js";
import type { Settings } from "../inbound/options.js";
import { echoText } from "../inbound/request-id.js";

/** Calls `go` with a context, at once or when its promise resolves. Returns the result of `go`, or a promise of it. */
export function whenOpened<T>(
  opened: Context | Promise<Context>,
  go: (context: Context) => T,
): T | Promise<Awaited<T>> {
  return opened instanceof Contexts ? go(opened) : (opened.then(go) as Promise<Awaited<T>>);
}

/** Returns the id for the response's header; undefined if the response has none. */
export function echoOf(settings: Settings, context: Context): string | undefined {
  return settings.echoHeader ? echoText(context.id) : undefined;
}

/** Calls `fn` in the context that a request belongs to, and with the state of all other storages there. */
export function reenter<T>(message: object | undefined, fn: () => T): T {
  return message === undefined || ownerOf(message) === undefined ? fn() : resourceFor(message).runInAsyncScope(fn);
}
