/** The middleware for Hono on Node. */
import { runIn, switchOn } from "../context/storage.js";
import { bindMessages } from "../emitters/messages.js";
import { openRequest } from "../inbound/open-request.js";
import { readOptions, type TraceOptions } from "../inbound/options.js";
import { echoOf, whenOpened } from "./common.js";
import { nodeMessages, noteContext, outerOf } from "./fetch-contexts.js";
import { copyWithHeader } from "./response-copy.js";

/** The members of Hono's request on all routes. */
export interface HonoRequestLike {
  /** The Request. */
  readonly raw: Request;
  /** The method, such as `GET`. */
  readonly method: string;
  /** The whole URL. */
  readonly url: string;
  /** The path of the URL. */
  readonly path: string;
  /** Returns the value of a header; undefined if there is none. */
  header(name: string): string | undefined;
  /** Returns a parameter of the query; undefined if there is none. */
  query(name: string): string | undefined;
}

/** The members of Hono's context that are used. `env` has Node's messages with `@hono/node-server`. */
export interface HonoContextLike {
  /** Hono's request. */
  readonly req: { readonly raw: Request };
  /** The bindings of the runtime. */
  readonly env?: unknown;
  /** The response, when the handler has returned. */
  res?: Response | undefined;
  /** Sets a header of the response. */
  header(name: string, value: string): void;
}

/** A middleware of Hono. */
export type HonoTraceMiddleware = (context: HonoContextLike, next: () => Promise<void>) => Promise<void>;

/**
 * Returns a middleware for Hono. The factory gets Hono's request, `c.req`. Throws `ERR_INVALID_ARGUMENT` for invalid options.
 *
 * @example
 * app.use(honoMiddleware({ useHeader: true, echoHeader: true }));
 */
export function honoMiddleware<HonoRequest = HonoRequestLike>(
  options?: TraceOptions<HonoRequest>,
): HonoTraceMiddleware {
  const settings = readOptions(options);
  if (!settings.enabled) return (_context, next) => next();
  switchOn();
  return async (c, next) => {
    const messages = nodeMessages(c.env);
    const { incoming, outgoing } = messages;
    // A middleware may replace `raw`.
    const requests = [c.req, c.req.raw];
    const outer = outerOf(messages, requests);
    return whenOpened(openRequest(settings, c.req, c.req.raw, { outer }), (context) =>
      runIn(context, async () => {
        noteContext(context, requests);
        if (incoming !== undefined && outgoing !== undefined) bindMessages(context, incoming, outgoing);
        await next();
        // After the handler: its response, or the answer to its error, replaces headers that are set before.
        const text = echoOf(settings, context);
        if (text !== undefined) echo(c, settings.headerName, text);
      }),
    );
  };
}

function echo(c: HonoContextLike, name: string, text: string): void {
  try {
    c.header(name, text);
    return;
  } catch {
    // Hono copies the response, but the headers of the copy may still be immutable.
  }
  const copy = c.res === undefined ? undefined : copyWithHeader(c.res, name, text);
  if (copy === undefined) return;
  c.res = undefined; // otherwise Hono copies the headers of the former response to the new one
  c.res = copy;
}
