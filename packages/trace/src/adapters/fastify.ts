/** The plugin for Fastify 2 to 5. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { NodeRequest } from "../connect.js";
import { type Context, Contexts } from "../context/context.js";
import { runIn, switchOn } from "../context/storage.js";
import { bindCloseListeners, bindMessages } from "../emitters/messages.js";
import { openRequest } from "../inbound/open-request.js";
import { type PluginOptions, readOptions, type Settings } from "../inbound/options.js";
import { echoOf, reenter } from "./common.js";

/** The members of Fastify's request that are used. */
export interface FastifyRequestLike {
  /** Fastify's own id of the request. */
  readonly id?: unknown;
  /** Node's request. */
  readonly raw: NodeRequest;
  /** Headers by their names in lower case. */
  readonly headers: { readonly [name: string]: unknown };
}

/** The members of Fastify's reply that are used. Fastify 2 has `res` in place of `raw`. */
export interface FastifyReplyLike {
  /** Node's response, since Fastify 3. */
  readonly raw?: unknown;
  /** Node's response in Fastify 2. */
  readonly res?: unknown;
  /** Sets a header. */
  header(name: string, value: string): unknown;
}

/** The members of a Fastify server that are used. The types of hooks differ between versions. */
export interface FastifyLike {
  /** The version of Fastify. */
  readonly version?: string;
  /** Adds a hook for all routes. */
  addHook(name: never, hook: never): unknown;
}

/** The type of {@link fastifyPlugin}, for `fastify.register`. */
export type FastifyTracePlugin = (
  fastify: FastifyLike,
  options: PluginOptions<FastifyRequestLike>,
  done: (error?: Error) => void,
) => void;

type Done = (error?: Error) => void;

/** Options that Fastify's \`register\` reads, and passes on. */
const REGISTER_OPTIONS: readonly string[] = ["prefix", "logLevel", "logSerializers"];

/** {@link FastifyLike} with the types of the calls here. */
interface Server {
  readonly version?: string;
  readonly initialConfig?: { readonly connectionTimeout?: number };
  addHook(name: string, hook: (request: FastifyRequestLike, ...rest: never[]) => void): unknown;
}

/**
 * A plugin for Fastify 2 to 5. It applies to all routes, also of the outer server. With `useFastifyRequestId` the id is Fastify's
 * `request.id` unless the header gives one. Hooks of the application run in the request's context: `onResponse`, `onRequestAbort`, and
 * `onTimeout` if the server has the option `connectionTimeout`. Registering fails with `ERR_INVALID_ARGUMENT` for invalid options.
 *
 * @example
 * await fastify.register(fastifyPlugin, { useHeader: true, echoHeader: true });
 */
export const fastifyPlugin: FastifyTracePlugin = /* @__PURE__ */ Object.assign(plugin, {
  [/* @__PURE__ */ Symbol.for("skip-override")]: true,
  [/* @__PURE__ */ Symbol.for("fastify.display-name")]: "@moonpack/trace",
});

function plugin(fastify: Server, options: PluginOptions<FastifyRequestLike> | undefined, done: Done): void {
  let settings: Settings;
  try {
    settings = readOptions(options, REGISTER_OPTIONS);
  } catch (error) {
    return done(error as Error);
  }
  if (settings.enabled) {
    switchOn();
    fastify.addHook("onRequest", (request: FastifyRequestLike, reply: FastifyReplyLike, next: Done) =>
      onRequest(settings, request, reply, next),
    );
    // Their events may come in the context of another request on the connection. Fastify listens for each request if there is such a
    // hook (0.6 us of 50), so a server without timeouts has none for them. For `onRequestAbort` a listener is bound, see `onRequest`.
    const again = (request: FastifyRequestLike, _reply: unknown, next: Done): void => reenter(messageOf(request), next);
    fastify.addHook("onResponse", again);
    if (mayTimeOut(fastify)) fastify.addHook("onTimeout", again);
  }
  done();
}

/**
 * True if the hook `onTimeout` exists and may be called. Fastify calls it only with its option `connectionTimeout`. Fastify 2, which does
 * not have its version, has no such hook, and an unknown hook fails when the server starts.
 */
function mayTimeOut({ version = "2", initialConfig }: Server): boolean {
  return Number.parseInt(version, 10) >= 3 && initialConfig?.connectionTimeout !== 0;
}

function messageOf({ raw }: FastifyRequestLike): IncomingMessage {
  return raw as IncomingMessage;
}

function onRequest(settings: Settings, request: FastifyRequestLike, reply: FastifyReplyLike, next: Done): void {
  let opened: Context | Promise<Context>;
  try {
    const frameworkId = settings.useFastifyRequestId ? request.id : undefined;
    opened = openRequest(settings, request, messageOf(request), { frameworkId });
  } catch (error) {
    return next(error as Error);
  }
  const go = (context: Context): void => {
    const text = echoOf(settings, context);
    if (text !== undefined) reply.header(settings.headerName, text);
    runIn(context, () => {
      bindMessages(context, messageOf(request), (reply.raw ?? reply.res) as ServerResponse);
      // After a hook with a promise, Fastify listens already for the client that goes away.
      bindCloseListeners(messageOf(request));
      next();
    });
  };
  if (opened instanceof Contexts) go(opened);
  else opened.then(go, next);
}
