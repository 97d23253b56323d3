/** Middlewares for Express and servers with middlewares `(request, response, next)`. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { type Context, Contexts } from "./context/context.js";
import { runIn, switchOn } from "./context/storage.js";
import { bindMessages } from "./emitters/messages.js";
import { openRequest } from "./inbound/open-request.js";
import { readOptions, type Settings, type TraceOptions } from "./inbound/options.js";
import { echoText } from "./inbound/request-id.js";

/** A request of `http` or `http2`. */
export type NodeRequest = IncomingMessage | Http2ServerRequest;
/** A response of `http` or `http2`. */
export type NodeResponse = ServerResponse | Http2ServerResponse;

/** A middleware of connect. */
export type ConnectMiddleware = (request: NodeRequest, response: NodeResponse, next: (error?: unknown) => void) => void;

type Next = (error?: unknown) => unknown;

/**
 * Returns a middleware for Express 4 and 5, and for servers over `http` or `http2` with such middlewares. Throws
 * `ERR_INVALID_ARGUMENT` for invalid options.
 *
 * @example
 * app.use(expressMiddleware({ useHeader: true, echoHeader: true }));
 */
export function expressMiddleware<Request = IncomingMessage>(options?: TraceOptions<Request>): ConnectMiddleware {
  const settings = readOptions(options);
  if (!settings.enabled) return (_request, _response, next) => next();
  switchOn();
  return (request, response, next) => {
    begin(settings, request, response, next);
  };
}

/**
 * Returns the same for Fastify's `@fastify/middie` and `@fastify/express`. Prefer {@link fastifyPlugin}.
 *
 * @example
 * app.use(fastifyMiddleware());
 */
export function fastifyMiddleware<Request = IncomingMessage>(options?: TraceOptions<Request>): ConnectMiddleware {
  return expressMiddleware(options);
}

/**
 * For adapters of Node's servers: opens a request and calls `next` in its context. `next` gets an error if the factory fails. Returns
 * the result of `next`, or a promise of it.
 */
export function begin(settings: Settings, request: NodeRequest, response: NodeResponse, next: Next): unknown {
  let opened: Context | Promise<Context>;
  try {
    opened = openRequest(settings, request, request);
  } catch (error) {
    return next(error);
  }
  if (opened instanceof Contexts) return start(settings, opened, request, response, next);
  return opened.then((context) => start(settings, context, request, response, next), next);
}

function start(
  settings: Settings,
  context: Context,
  request: NodeRequest,
  response: NodeResponse,
  next: Next,
): unknown {
  if (settings.echoHeader) echo(settings, context, response);
  return runIn(context, enter, context, request, response, next);
}

function enter(context: Context, request: NodeRequest, response: NodeResponse, next: Next): unknown {
  bindMessages(context, request, response as ServerResponse);
  return next();
}

/** Writes the id to the response by `setHeader`. Does nothing if headers are sent, or the id is not valid in a header. */
function echo({ headerName }: Settings, context: Context, response: NodeResponse): void {
  const text = echoText(context.id);
  if (text === undefined || response.headersSent) return;
  try {
    response.setHeader(headerName, text);
  } catch {
    // http2 rejects some names, such as Connection: tracing never breaks a request.
  }
}
