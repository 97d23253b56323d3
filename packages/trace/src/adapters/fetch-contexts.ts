/**
 * The contexts of Fetch requests, so that a second middleware for the same request continues the first one's context. They are not
 * emitters, and the same object may be sent several times, so the current context must match too.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "../context/context.js";
import { currentContext } from "../context/storage.js";
import { ownerOf } from "../emitters/binding.js";
import { STATE } from "../shared.js";

/** Node's messages, which `@hono/node-server` passes beside the request. */
export interface NodeMessages {
  readonly incoming: IncomingMessage | undefined;
  readonly outgoing: ServerResponse | undefined;
}

/** The property of a request with the contexts that were made for it. */
const CONTEXTS = /* @__PURE__ */ Symbol.for(`${STATE}.contexts`);

/** A request, or the framework's object for it. */
interface Noted {
  readonly [CONTEXTS]?: WeakSet<Context>;
}

/** Returns Node's messages of a request; undefined on other servers. Only own properties count. */
export function nodeMessages(env: unknown): NodeMessages {
  return {
    incoming: ownOf(env, "incoming") as IncomingMessage | undefined,
    outgoing: ownOf(env, "outgoing") as ServerResponse | undefined,
  };
}

/** Returns the context that an outer middleware made for a request; undefined if there is none. */
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
