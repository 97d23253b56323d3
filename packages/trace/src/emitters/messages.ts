/** Binds the request and the response of Node's servers: their listeners, and the callbacks of the response's methods. */
import { EventEmitter } from "node:events";
import type { Context } from "../context/context.js";
import { bindingOf, bindTo, type Output, Owner, resourceFor } from "./binding.js";
import { type Listener, wrapper } from "./wrapper.js";

/** A ServerResponse or Http2ServerResponse, or the mock of an application's tests. */
export interface ResponseMessage extends EventEmitter {
  readonly socket?: unknown;
  write?: unknown;
  end?: unknown;
}

/** Methods for informational responses. Node 24 has the last one. */
const INFORMATIONAL = ["writeContinue", "writeProcessing", "writeEarlyHints", "writeInformation"] as const;

/**
 * Binds a request and its response to a context. Call it inside that context: `runIn(context, ...)`. Later listeners run where they
 * were added if that is within the context's request, else in the context. A second call with another context, by an inner middleware,
 * makes that one the owner. Objects that are not emitters, or refuse new properties, such as a frozen mock, do not change.
 */
export function bindMessages(context: Context, request: EventEmitter, response: ResponseMessage): void {
  const owner = new Owner(context);
  try {
    bindAll(owner, request, response);
  } catch {
    // Tracing never breaks a request.
  }
}

/** Binds the listeners of `close` that a bound request has, as if they were added now. Each runs once, however it was added. */
export function bindCloseListeners(request: EventEmitter): void {
  if (!(request instanceof EventEmitter)) return; // a mock
  const listeners = request.listeners("close") as (() => void)[];
  for (const listener of listeners) request.removeListener("close", listener);
  for (const listener of listeners) request.on("close", listener);
}

function bindAll(owner: Owner, request: EventEmitter, response: ResponseMessage): void {
  if (isEmitter(request)) bindTo(request, owner);
  if (!isEmitter(response)) return;
  const binding = bindTo(response, owner);
  const { write: formerWrite, end: formerEnd } = response;
  if (binding.write !== undefined || typeof formerWrite !== "function" || typeof formerEnd !== "function") return;
  binding.write = formerWrite as Output;
  response.write = write;
  // Node 20 and 22 make the callback a listener; Node 24 queues it, and runs it in the context of the code that flushes.
  binding.end = formerEnd as Output;
  response.end = end;
  // Only a response that waits behind another one delays these: others write them at once.
  if (response.socket === null) bindInformational(response as unknown as Record<string, unknown>);
}

function bindInformational(response: Record<string, unknown>): void {
  for (const name of INFORMATIONAL) {
    const former = response[name];
    if (typeof former !== "function") continue;
    response[name] = function (this: EventEmitter, ...args: unknown[]): unknown {
      return former.apply(this, withBoundCallback(this, args));
    };
  }
}

function isEmitter(message: Partial<EventEmitter> | undefined): boolean {
  return typeof message?.on === "function";
}

// Pipelined responses wait for the one before: the connection writes them, and calls back, in the context of that one.
function write(this: EventEmitter, ...args: unknown[]): unknown {
  return bindingOf(this).write!.apply(this, withBoundCallback(this, args));
}

function end(this: EventEmitter, ...args: unknown[]): unknown {
  return bindingOf(this).end!.apply(this, withBoundCallback(this, args));
}

function withBoundCallback(response: EventEmitter, args: unknown[]): unknown[] {
  for (let i = args.length - 1; i >= 0; i--) {
    const callback = args[i];
    if (typeof callback === "function") {
      args[i] = wrapper(resourceFor(response), callback as Listener);
      break;
    }
  }
  return args;
}
