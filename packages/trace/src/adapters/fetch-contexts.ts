/**
 * Fetch requests that a middleware has seen, so that another one for the same request goes on in its context. They are not
 * emitters, and the same object may be sent several times, so what runs now decides too.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "../context/context.js";
import { currentContext } from "../context/storage.js";
import { ownerOf } from "../emitters/binding.js";

/** What `@hono/node-server` hands over besides the request. */
export interface NodeMessages {
  readonly incoming: IncomingMessage | undefined;
  readonly outgoing: ServerResponse | undefined;
}

/** Where a request keeps the contexts that were made for it. */
const CONTEXTS = /* @__PURE__ */ Symbol("moonpack.trace.contexts");

/** A request, or what a framework has instead. */
interface Noted {
  readonly [CONTEXTS]?: WeakSet<Context>;
}

/** Node's messages of a request; undefined on other servers. Only own properties count. */
export function nodeMessages(env: unknown): NodeMessages {
  return {
    incoming: ownOf(env, "incoming") as IncomingMessage | undefined,
    outgoing: ownOf(env, "outgoing") as ServerResponse | undefined,
  };
}

/** The context that an outer middleware made for a request; undefined if there is none. */
export function outerOf({ incoming }: NodeMessages, requests: readonly object[]): Context | undefined {
  const owner = incoming === undefined ? undefined : ownerOf(incoming);
  if (owner !== undefined) return owner;
  const here = currentContext()?.request;
  return here !== undefined && requests.some((each: Noted) => each[CONTEXTS]?.has(here)) ? here : undefined;
}

/** Notes that a context was made for a request. */
export function noteContext(context: Context, requests: readonly object[]): void {
  for (const each of requests) {
    const contexts = (each as Noted)[CONTEXTS] ?? new WeakSet();
    contexts.add(context);
    // Not an assignment, which would throw for a frozen object.
    Reflect.defineProperty(each, CONTEXTS, { value: contexts, configurable: true });
  }
}

function ownOf(env: unknown, name: string): unknown {
  return typeof env === "object" && env !== null && Object.hasOwn(env, name)
    ? (env as Record<string, unknown>)[name]
    : undefined;
}
