/**
 * Requests of undici that passed no dispatcher of ours. The channel `undici:request:create` tells them, but neither by what
 * connection they go (a Unix socket, a proxy, in undici 6 another origin than the request names), nor, when a limited pool had
 * queued one, whose they are. So a request gets lines here only if every destination is allowed, and its handler is the
 * caller's AsyncResource: `request`, `stream` and `pipeline`. All others are warned of.
 */
import { AsyncResource } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { currentContext } from "../context/storage.js";
import { active, headerNamesFor, linesFor } from "./active.js";
import { originOf } from "./destination.js";
import { renewGlobalDispatchers } from "./global-dispatcher.js";
import { outgoing } from "./headers.js";
import { warnOnce } from "./warning.js";

const CHANNEL = "undici:request:create";

/** A request of undici's core, as far as it is used. */
interface CoreRequest {
  readonly origin?: unknown;
  readonly path?: unknown;
  readonly method?: unknown;
  readonly headers?: unknown;
  addHeader?(name: string, value: string): unknown;
}

/** Begins to watch. */
export function watchRequests(): void {
  subscribe(CHANNEL, created);
}

/** Ends it. */
export function unwatchRequests(): void {
  unsubscribe(CHANNEL, created);
}

function created(message: unknown): void {
  try {
    const { request } = message as { request: CoreRequest };
    if (request.method !== "CONNECT") addLines(request);
    renewGlobalDispatchers();
  } catch {
    // Tracing never breaks a request.
  }
}

function addLines(request: CoreRequest): void {
  const handler = handlerOf(request);
  const told = handler === undefined ? undefined : () => handler.runInAsyncScope(outgoing);
  const has = presence(request.headers);
  if (told !== undefined && headerNamesFor(active(), [undefined]) !== undefined) {
    for (const [name, value] of linesFor(active(), [undefined], has, told)) request.addHeader?.(name, value);
    return;
  }
  const here = handler === undefined ? currentContext() : handler.runInAsyncScope(currentContext);
  const names = headerNamesFor(active(), [originOf(request.origin, request.path)]);
  if (here === undefined || names === undefined || ["traceparent", ...names].some((name) => has(name.toLowerCase())))
    return;
  warnOnce(
    "MOONPACK_TRACE_DISPATCHER",
    "a request of undici went by a dispatcher that is not known, so it carries no id. Compose the dispatcher with " +
      "undiciInterceptor(), and call propagate() after setGlobalDispatcher()",
  );
}

/** The handler of `request`, `stream` and `pipeline`, which is made where they are called. */
function handlerOf(request: CoreRequest): AsyncResource | undefined {
  for (const key of Object.getOwnPropertySymbols(request)) {
    if (key.description !== "handler") continue;
    const handler: unknown = Reflect.get(request, key);
    return handler instanceof AsyncResource ? handler : undefined;
  }
  return undefined;
}

/** Looks for names of headers: undici 6 to 8 have names and values in turn, older ones lines. */
function presence(headers: unknown): (lowerCaseName: string) => boolean {
  if (!Array.isArray(headers)) return (name) => `\r\n${String(headers)}`.toLowerCase().includes(`\r\n${name}:`);
  const names = new Set<string>();
  for (let i = 0; i < headers.length; i += 2) names.add(String(headers[i]).toLowerCase());
  return (name) => names.has(name);
}
