/**
 * The start of a request: how an adapter makes its context. An adapter for Node's requests goes like this (see ../connect.ts):
 *
 *     const settings = readOptions(options);                    // once; throws ERR_INVALID_ARGUMENT
 *     if (!settings.enabled) return passThrough;
 *     switchOn();                                               // once, when the middleware is made
 *     ...
 *     const opened = openRequest(settings, request, message);   // may throw, if the user's factory does: always an Error
 *     if (opened instanceof Context) go(opened); else opened.then(go, fail);
 *     ...                                                       // go:
 *     const text = settings.echoHeader ? echoText(context.id) : undefined;
 *     if (text !== undefined) response.setHeader(settings.headerName, text);
 *     runIn(context, enter, context, message, response, next);  // enter: bindMessages(context, message, response); next();
 */
import { Context } from "../context/context.js";
import { currentContext, runIn } from "../context/storage.js";
import { ownerOf } from "../emitters/binding.js";
import { factoryError } from "../errors.js";
import { isThenable } from "../promises.js";
import type { HeaderSource } from "./headers.js";
import type { Settings } from "./options.js";
import { headerId } from "./request-id.js";
import { placeInTrace } from "./request-trace.js";

/** The part of a request that ids are read from: an IncomingMessage, an Http2ServerRequest, a Fetch `Request`. */
export interface RequestMessage {
  readonly headers: HeaderSource;
  /** Names and values in turn, as received: shows repeated headers, which `headers` has joined or dropped. */
  readonly rawHeaders?: readonly string[];
}

/** What some adapters know besides. */
export interface RequestExtras {
  /** The framework's own id: taken after the header's and before the factory's, unless undefined. */
  readonly frameworkId?: unknown;
  /** The context that an outer middleware made for the same request. Default: the one that `message` is bound to. */
  readonly outer?: Context | undefined;
}

/**
 * Makes a request's context: a promise of it only if the user's factory returns one. `request` is what the factory, `acceptId`
 * and `sampled` are called with. Throws, or rejects with, only an Error, and only if the factory does. The context is not entered yet: use
 * {@link runIn}.
 *
 * Whatever context the caller runs in is a stranger's (a connection's, the one that the server was started in) and gives the
 * request nothing, unless an outer middleware made it for the same request.
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

/** A context for a request that an outer middleware has seen, or not. */
function contextWithin(outer: Context | undefined): Context {
  if (outer === undefined) return Context.root();
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
  context.requestId = undefined; // id() answers undefined until there is one
  const made = runIn(context, make, factory, request);
  return made instanceof Promise ? made.then(settle, fail) : settle(made);
}

/** The id that a factory makes, or a promise of it. A thenable too runs in the new context: some work only when asked to. */
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
