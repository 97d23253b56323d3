/**
 * The plugin for Hapi 20 and 21. Hapi has no way to run the rest of a request inside a function. So the listeners of Node's server run
 * in an empty context, which the extension `onRequest` fills.
 */
import type { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Context, Contexts } from "../context/context.js";
import { enterContext, runIn, switchOn } from "../context/storage.js";
import { ownerOf } from "../emitters/binding.js";
import { bindMessages } from "../emitters/messages.js";
import { openRequest } from "../inbound/open-request.js";
import { type PluginOptions, readOptions, type Settings } from "../inbound/options.js";
import { echoOf, whenOpened } from "./common.js";

/** The members of Hapi's request that are used. */
export interface HapiRequestLike {
  /** Node's request and response. */
  readonly raw: { readonly req: IncomingMessage; readonly res: ServerResponse };
  /** The answer: a response object or an error; null before there is one. */
  readonly response: unknown;
}

/** The members of a Hapi server that are used. The types of these methods differ between versions. */
export interface HapiServerLike {
  /** Node's server. */
  readonly listener: EventEmitter;
  /** Adds an extension, for a point in the life of requests. */
  ext(event: never, method: never): unknown;
  /** Adds a property to all requests. */
  decorate(type: never, property: never, method: never, options: never): unknown;
}

type Method = (request: Injected, toolkit: Toolkit) => unknown;

/** {@link HapiServerLike} with the types of the calls here. */
interface Server {
  readonly listener: EventEmitter;
  ext(event: string, method: Method): unknown;
  decorate(type: string, property: symbol, method: Method, options: object): unknown;
}

interface Toolkit {
  readonly continue: unknown;
}

/** The type of {@link hapiPlugin}, for `server.register`. */
export interface HapiTracePlugin {
  /** The name of the plugin, for Hapi. */
  readonly name: string;
  /** True: registering it again changes nothing. */
  readonly once: true;
  /** Registers the plugin. Throws `ERR_INVALID_ARGUMENT` for an invalid option. */
  register(server: HapiServerLike, options?: PluginOptions<HapiRequestLike>): void;
}

/** The members of Hapi's answers that are used: of the response object, or the `output` of an error. */
interface HapiAnswer {
  readonly isBoom?: unknown;
  readonly output?: { readonly headers: Record<string, unknown> };
  header?(name: string, value: string): unknown;
}

/**
 * A plugin for Hapi 20 and 21. The factory gets Hapi's request. Requests of `server.inject` have ids too. Registering fails with
 * `ERR_INVALID_ARGUMENT` for invalid options.
 *
 * @example
 * await server.register({ plugin: hapiPlugin, options: { echoHeader: true } });
 */
export const hapiPlugin: HapiTracePlugin = {
  name: "@moonpack/trace",
  once: true,
  register(server: Server, options?: PluginOptions<HapiRequestLike>): void {
    const settings = readOptions(options);
    if (!settings.enabled) return;
    switchOn();
    const places = new WeakMap<IncomingMessage, Context>();
    giveContexts(server.listener, places);
    giveContextsToInjected(server, places);
    server.ext("onRequest", (request: HapiRequestLike, { continue: goOn }: Toolkit) =>
      whenOpened(openRequest(settings, request, request.raw.req), (context) => {
        fill(places.get(request.raw.req), context, request);
        return goOn;
      }),
    );
    if (settings.echoHeader)
      server.ext("onPreResponse", (request: HapiRequestLike, { continue: goOn }: Toolkit) => {
        echo(settings, request);
        return goOn;
      });
  },
};

/**
 * Makes a server's listeners for requests run in an empty context for each request. It replaces `emit` of this server, so the listeners
 * do not change: they may run once, be removed or be added later.
 */
function giveContexts(listener: EventEmitter, places: WeakMap<IncomingMessage, Context>): void {
  const own = Object.hasOwn(listener, "emit") ? listener.emit : undefined;
  const emit = function (this: EventEmitter, event: string | symbol, ...args: unknown[]): boolean {
    const former = own ?? (Object.getPrototypeOf(listener) as EventEmitter).emit;
    if (event !== "request" && event !== "checkContinue") return former.call(this, event, ...args);
    const place = Contexts.empty();
    places.set(args[0] as IncomingMessage, place);
    return runIn(place, () => former.call(this, event, ...args));
  };
  Object.defineProperty(listener, "emit", { value: emit, configurable: true, writable: true });
}

/** `_execute` runs an injected request in Hapi 20 and 21. */
interface Injected extends HapiRequestLike {
  _execute?: unknown;
}

/**
 * The same for requests of `server.inject`, which do not use listeners. Hapi calls a decoration for a new request, and then the
 * request's method `_execute`. Without that method the context is entered here, and stays entered in the code that calls `inject`.
 */
function giveContextsToInjected(server: Server, places: WeakMap<IncomingMessage, Context>): void {
  const decoration = (request: Injected): void => {
    const { req } = request.raw;
    if (places.has(req)) return;
    const place = Contexts.empty();
    places.set(req, place);
    const execute = request._execute;
    if (typeof execute !== "function") return enterContext(place);
    request._execute = () => runIn(place, () => execute.call(request) as unknown);
  };
  server.decorate("request", Symbol("moonpack.trace.injected"), decoration, { apply: true });
}

/** Fills the context of a request. Without one, the request began before the plugin was registered. */
function fill(place: Context | undefined, context: Context, { raw }: HapiRequestLike): void {
  place?.become(context);
  const own = place ?? context;
  runIn(own, bindMessages, own, raw.req, raw.res);
}

function echo(settings: Settings, { raw, response }: HapiRequestLike): void {
  const context = ownerOf(raw.req);
  const text = context === undefined ? undefined : echoOf(settings, context);
  if (text === undefined || typeof response !== "object" || response === null) return;
  const { isBoom, output, header } = response as HapiAnswer;
  if (isBoom && output !== undefined) output.headers[settings.headerName] = text;
  else if (typeof header === "function") header.call(response, settings.headerName, text);
}
