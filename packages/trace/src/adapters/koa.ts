/** The middleware for Koa 2 and 3. */
import type { IncomingMessage } from "node:http";
import type { Context } from "../context/context.js";
import { runIn, switchOn } from "../context/storage.js";
import { bindMessages } from "../emitters/messages.js";
import { openRequest } from "../inbound/open-request.js";
import { readOptions, type Settings, type TraceOptions } from "../inbound/options.js";
import { echoOf, whenOpened } from "./common.js";
import { bindErrors, type KoaContextLike, type KoaRequestLike } from "./koa-errors.js";

export type { KoaContextLike, KoaRequestLike };

/** A middleware of Koa 2 and 3. */
export type KoaMiddleware = (context: KoaContextLike, next: () => Promise<unknown>) => Promise<unknown>;

/**
 * Returns a middleware for Koa 2 and 3. The factory gets `ctx.request`. Throws `ERR_INVALID_ARGUMENT` for invalid options.
 *
 * @example
 * app.use(koaMiddleware({ echoHeader: true }));
 */
export function koaMiddleware<Request = KoaRequestLike>(options?: TraceOptions<Request>): KoaMiddleware {
  const settings = readOptions(options);
  if (!settings.enabled) return (_context, next) => next();
  switchOn();
  return async (ctx, next) =>
    whenOpened(openRequest(settings, ctx.request, ctx.req), (context) =>
      runIn(context, () => {
        enterKoa(settings, context, ctx);
        return next();
      }),
    );
}

/** For both kinds of middleware, inside the context: sets the echo, binds events and errors. */
export function enterKoa(settings: Settings, context: Context, ctx: KoaContextLike): void {
  const text = echoOf(settings, context);
  if (text !== undefined && !ctx.res.headersSent) ctx.set(settings.headerName, text);
  bindMessages(context, ctx.req as IncomingMessage, ctx.res);
  bindErrors(ctx, text === undefined ? undefined : settings.headerName.toLowerCase());
}
