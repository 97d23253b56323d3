/**
 * The start of a request: makes its context. The steps of an adapter for Node's requests (see ../connect.ts):
 *
 *     const settings = readOptions(options);                    // once; throws ERR_INVALID_ARGUMENT
 *     if (!settings.enabled) return passThrough;
 *     switchOn();                                               // once, when the middleware is made
 *     ...
 *     const opened = openRequest(settings, request, message);   // may throw, if the user's factory does: always an Error
 *     if (opened instanceof Contexts) go(opened); else opened.then(go, fail);
 *     ...                                                       // go:
 *     const text = settings.echoHeader ? echoText(context.id) : undefined;
 *     if (text !== undefined) response.setHeader(settings.headerName, text);
 *     runIn(context, enter, context, message, response, next);  // enter: bindMessages(context, message, response); next();
 */
import { type Context, Contexts } from "../context/context.js";
import { currentContext, runIn } from "../context/storage.js";
import { ownerOf } from "../emitters/binding.js";
import { factoryError } from "../errors.js";
import { isThenable } from "../promises.js";
import type { HeaderSource } from "./headers.js";
import type { Settings } from "./options.js";
import { headerId } from "./request-id.js";
import { placeInTrace } from "./request-trace.js";

/** The headers of a request: of an IncomingMessage, an Http2ServerRequest, or a Fetch `Request`. */
export interface RequestMessage {
  readonly headers: HeaderSource;
  /** Names and values in turn, as received: shows repeated headers, which `headers` has joined or dropped. */
  readonly rawHeaders?: readonly string[];
}

/** More input from some adapters. */
export interface RequestExtras {
  /** The framework's own id. The header's id goes before it, the factory's after it. */
  readonly frameworkId?: unknown;
  /** The context that an outer middleware made for the same request. Default: the one that `message` is bound to. */
  readonly outer?: Context | undefined;
}

/**
 * Returns a request's context, or a promise of it if the user's factory returns one. The factory, `acceptId` and `sampled` get
 * `request`. Throws, or rejects with, an Error only if the factory does. The context is not entered yet: use {@link runIn}.
 *
 * The context of the caller (a connection's, or the one that the server was started in) has no effect, unless an outer middleware
 * made it for the same request.
 */
export function openRequest(
  settings: Settings,
  request: unknown,
  message: RequestMessage,
  extras?: RequestExtras,
): Context | Promise<Context> {
  const context = contextWithin((ownOf(extras, "outer") as Context | undefined) ?? ownerOf(message));
  context.request = context;
  placeInTrace(context, settings, request, message);
  const id = (settings.useHeader ? headerId(settings, request, message) : undefined) ?? ownOf(extras, "frameworkId");
  if (id !== undefined) {
    context.requestId = id;
    return context;
  }
  return settings.requestIdFactory === undefined ? context : withMadeId(context, settings.requestIdFactory, request);
}

function ownOf(extras: RequestExtras | undefined, name: keyof RequestExtras): unknown {
  return extras !== undefined && Object.hasOwn(extras, name) ? extras[name] : undefined;
}

/** Returns a context within the outer middleware's, if there is one. */
function contextWithin(outer: Context | undefined): Context {
  if (outer === undefined) return Contexts.root();
  const current = currentContext();
  return (current?.request === outer ? current : outer).nested();
}

function withMadeId(
  context: Context,
  factory: (request: unknown) => unknown,
  request: unknown,
): Context | Promise<Context> {
  const generated = context.requestId;
  const settle = (id: unknown): Context => {
    context.requestId = id === undefined ? generated : id;
    return context;
  };
  context.requestId = undefined; // for id() in the factory
  const made = runIn(context, make, factory, request);
  return made instanceof Promise ? made.then(settle, fail) : settle(made);
}

/** Returns the factory's id, or a promise of it. `then` of a thenable runs in the new context too: some begin their work there. */
function make(factory: (request: unknown) => unknown, request: unknown): unknown {
  try {
    const made = factory(request);
    return isThenable(made) ? Promise.resolve(made) : made;
  } catch (thrown) {
    return fail(thrown);
  }
}

function fail(thrown: unknown): never {
  throw factoryError(thrown);
}
