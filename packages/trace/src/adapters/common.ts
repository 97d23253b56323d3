/** What the adapters of frameworks share. */
import { Context } from "../context/context.js";
import { ownerOf, resourceFor } from "../emitters/binding.js";
import type { Settings } from "../inbound/options.js";
import { echoText } from "../inbound/request-id.js";

/** Goes on with a context, or once there is one. Returns what `go` returns, or a promise of it. */
export function whenOpened<T>(
  opened: Context | Promise<Context>,
  go: (context: Context) => T,
): T | Promise<Awaited<T>> {
  return opened instanceof Context ? go(opened) : (opened.then(go) as Promise<Awaited<T>>);
}

/** The text that a response tells the id with; undefined if it is to tell none. */
export function echoOf(settings: Settings, context: Context): string | undefined {
  return settings.echoHeader ? echoText(context.id) : undefined;
}

/** Calls `fn` in the context that a request belongs to, and with all other storages as they are there. */
export function reenter<T>(message: object | undefined, fn: () => T): T {
  return message === undefined || ownerOf(message) === undefined ? fn() : resourceFor(message).runInAsyncScope(fn);
}
