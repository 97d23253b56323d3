/**
 * MessagePack and PCK for Fastify 4 and 5.
 *
 * @module
 */
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { flagOption, own, ownOption, ownOptions, refuseUnknown } from "moonpack/bytes";
import { append } from "vary";
import { RequestError } from "../errors.js";
import { MSGPACK_ALIASES, MSGPACK_TYPE, NDJSON_TYPE, PCK_STREAM_TYPE, PCK_TYPE, PROBLEM_TYPE } from "../media-types.js";
import { pickFrom } from "../server/picked.js";
import { readValue, readValues } from "../server/read.js";
import { bodyError } from "../server/request-errors.js";
import {
  type BodiesOptions,
  checkArgument,
  checkReadOptions,
  type ReadOptions,
  type ReadValueOptions,
  readSettings,
  type SendOptions,
  type SendStreamOptions,
} from "../server/settings.js";
import { encodeBody } from "../server/write.js";
import { encodeValues, type ValuesToSend } from "../server/write-stream.js";
import { checkStatus, discardBody, incomingOf, type NodeResponse, recipientOf } from "./messages.js";
import { readableOf } from "./send.js";

/** The members of Fastify's request that are used. */
export interface FastifyRequestLike {
  /** Node's request. */
  readonly raw: IncomingMessage;
  /** Headers by their names in lower case. */
  readonly headers: IncomingMessage["headers"];
  /** The value of the body. */
  body: unknown;
  /** The options of the route. */
  readonly routeOptions: { readonly config?: unknown };
}

/** The members of Fastify's reply that are used. */
export interface FastifyReplyLike {
  /** The request. */
  readonly request: { readonly raw: IncomingMessage; readonly headers: IncomingMessage["headers"] };
  /** Node's response. */
  readonly raw: NodeResponse;
  /** The status of the answer. */
  readonly statusCode: number;
  /** Sets the status. */
  code(status: number): unknown;
  /** Sets a header. */
  header(name: string, value: string): unknown;
  /** Returns a header; undefined if it is not set. */
  getHeader(name: string): unknown;
  /** Sends the body. */
  send(payload: unknown): unknown;
}

/** The members of a Fastify server that are used. The types of its methods differ between versions. */
export interface FastifyLike {
  /** Adds a parser of bodies for media types. */
  addContentTypeParser(types: never, parser: never): unknown;
  /** Adds a hook for all routes. */
  addHook(name: never, hook: never): unknown;
}

/** {@link FastifyLike} with the types of the calls here. */
interface Server {
  addContentTypeParser(
    types: readonly string[],
    parser: (request: FastifyRequestLike, payload: Readable, done: Done) => void,
  ): unknown;
  addHook(name: string, hook: (request: FastifyRequestLike, reply: FastifyReplyLike, done: Done) => void): unknown;
}

type Done = (error: Error | null, value?: unknown) => void;

/** The type of a plugin for `fastify.register`. */
export type FastifyPlugin = (fastify: FastifyLike, options: object, done: (error?: Error) => void) => void;

/** Options of a route's body. */
export interface RouteOptions<Out = unknown> extends ReadValueOptions<Out> {
  /** Leaves the body for `readStream`. Default false. */
  readonly stream?: boolean;
}

/** Options for Fastify's route methods. */
export interface RouteConfig {
  /** The options of the body, where the plugin finds them. */
  readonly config: { readonly moonpack: RouteOptions };
}

/** Reads requests and sends responses. {@link bodies} returns it. */
export interface FastifyBodies {
  /**
   * The plugin, for `fastify.register`. It reads bodies in MessagePack and PCK to `request.body`. It answers errors with a problem
   * document, before the validation of the route. Fastify parses JSON itself; the plugin then checks the value with the option `pck` of
   * {@link FastifyBodies.route}.
   */
  readonly plugin: FastifyPlugin;
  /**
   * Returns the options of a route whose body has a schema, or is a stream. Throws `ERR_INVALID_ARGUMENT` for an invalid option.
   *
   * @example
   * app.post("/import", http.route({ stream: true }), handler);
   */
  route<Out>(options: RouteOptions<Out>): RouteConfig;
  /**
   * An error handler, for `fastify.setErrorHandler`. If `readStream` throws a `RequestError`, it answers with a problem document. Other
   * errors go to the outer handler. Without this handler, Fastify answers in its own form, with the right status.
   */
  readonly errors: (error: unknown, request: unknown, reply: FastifyReplyLike) => unknown;
  /** Yields the values of the body as they arrive, on a route with `stream`. Throws a `RequestError`. */
  readStream<Out = unknown>(
    request: FastifyRequestLike,
    options?: ReadOptions<Out>,
  ): AsyncGenerator<Out, void, undefined>;
  /** Sends a value in the format that the client prefers, or answers 406. Returns the reply. Throws the `EncodeError` of the value. */
  send<Reply extends FastifyReplyLike, In = unknown>(reply: Reply, value: In, options?: SendOptions<In>): Reply;
  /** Sends a stream of values. Rejects if `values` throws before its first value. A later error aborts the response. */
  sendStream<In = unknown>(
    reply: FastifyReplyLike,
    values: ValuesToSend<In>,
    options?: SendStreamOptions<In>,
  ): Promise<unknown>;
}

/**
 * Returns the plugin and the functions that read and write bodies. Throws `ERR_INVALID_ARGUMENT` for an invalid option.
 *
 * @example
 * const http = bodies();
 * await app.register(http.plugin);
 * app.post("/users", (request, reply) => http.send(reply, create(request.body)));
 */
export function bodies(options?: BodiesOptions): FastifyBodies {
  const settings = readSettings(options);
  const types = [MSGPACK_TYPE, ...MSGPACK_ALIASES, PCK_TYPE, PCK_STREAM_TYPE, ...(settings.json ? [NDJSON_TYPE] : [])];
  /**
   * Errors of the parser, kept for the hook. If the parser passed them to `done`, Fastify would answer them in its own form.
   */
  const failures = new WeakMap<FastifyRequestLike, RequestError>();
  /** Requests whose body this plugin has read. It is checked already if the route has the option `pck`. */
  const read = new WeakSet<FastifyRequestLike>();
  /** Bodies for `readStream`. A hook of another plugin may have replaced the stream of the request. */
  const payloads = new WeakMap<IncomingMessage, Readable>();

  const refuse = (reply: FastifyReplyLike, error: unknown): unknown => {
    if (!(error instanceof RequestError)) throw error;
    settings.onError(error);
    for (const [name, value] of Object.entries(error.headers)) reply.header(name, value);
    reply.code(error.status);
    setHead(reply, PROBLEM_TYPE);
    const sent = reply.send(JSON.stringify(error.toProblem()));
    discardBody(reply.request.raw);
    return sent;
  };
  const parse = (request: FastifyRequestLike, payload: Readable, done: Done): void => {
    const { stream = false, ...readOptions } = routeOptions(request);
    read.add(request);
    if (stream) {
      payloads.set(request.raw, payload);
      return done(null, undefined);
    }
    readValue(incomingOf(request.raw, payload), settings, readOptions).then(
      (value) => done(null, value),
      (error: unknown) => {
        if (!(error instanceof RequestError)) return done(error as Error);
        failures.set(request, error);
        done(null, undefined);
      },
    );
  };
  const check = (request: FastifyRequestLike, reply: FastifyReplyLike, done: Done): void => {
    let failure: unknown = failures.get(request);
    const { pck, pick } = routeOptions(request);
    if ((pck ?? pick) !== undefined && request.body !== undefined && !read.has(request)) {
      // Fastify's parser of JSON or text, or a parser of the application, has read the body. The handler must not get it unchecked.
      try {
        if (pck === undefined) request.body = pickFrom(pick!, request.body, settings.msgpack);
        else request.body = pck.fromJSON === undefined ? pck.check(request.body) : pck.fromJSON(request.body);
      } catch (error) {
        failure = bodyError(error);
      }
    }
    if (failure === undefined) return done(null);
    if (failure instanceof RequestError) refuse(reply, failure);
    else done(failure as Error);
  };
  const plugin = (fastify: Server, _options: object, done: (error?: Error) => void): void => {
    fastify.addContentTypeParser(types, parse);
    fastify.addHook("preValidation", check);
    done();
  };
  return {
    // With skip-override, parser and hook also apply outside the plugin: to the server that registers it.
    plugin: Object.defineProperties(plugin, {
      [Symbol.for("skip-override")]: { value: true },
      [Symbol.for("fastify.display-name")]: { value: "@moonpack/http" },
    }),
    errors: (error, _request, reply) => refuse(reply, error),
    route(route) {
      const given = ownOptions(route);
      refuseUnknown(given, ["stream", "pck", "pick", "maxBytes"], "option of a route");
      const { stream = false, ...readOptions } = given;
      flagOption("stream", stream, false);
      checkReadOptions(settings, readOptions, stream);
      return { config: { moonpack: own({ stream, ...readOptions }) } };
    },
    readStream(request, callOptions) {
      checkArgument(request, "raw", "a request of Fastify");
      const options = { ...streamOptions(request), ...ownOptions(callOptions) };
      return readValues(incomingOf(request.raw, payloads.get(request.raw)), settings, options);
    },
    send(reply, value, callOptions) {
      checkArgument(reply, "statusCode", REPLY);
      checkStatus(reply.statusCode);
      try {
        const { type, bytes } = encodeBody(reply.request.headers.accept, value, settings, callOptions);
        setHead(reply, type);
        reply.send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
      } catch (error) {
        refuse(reply, error);
      }
      return reply;
    },
    async sendStream(reply, values, callOptions) {
      checkArgument(reply, "statusCode", REPLY);
      checkStatus(reply.statusCode);
      try {
        const recipient = recipientOf(reply.request.raw, reply.raw);
        const { type, chunks } = await encodeValues(recipient, values, settings, callOptions);
        setHead(reply, type);
        return reply.send(readableOf(chunks));
      } catch (error) {
        return refuse(reply, error);
      }
    },
  };
}

const REPLY = "a reply of Fastify";

/** Sets the headers of a response. */
function setHead(reply: FastifyReplyLike, type: string): void {
  reply.header("vary", append(String(reply.getHeader("vary") ?? ""), "Accept"));
  reply.header("content-type", type);
}

/** Returns the options that {@link FastifyBodies.route} has added to the route. */
function routeOptions({ routeOptions: route }: FastifyRequestLike): RouteOptions {
  return (
    (ownOption(route.config as object | undefined, "moonpack") as RouteOptions | undefined) ??
    ownOptions<RouteOptions>({})
  );
}

/** Returns the options of the route, for `readStream`. */
function streamOptions(request: FastifyRequestLike): ReadOptions<never> {
  const { stream: _, ...readOptions } = routeOptions(request);
  return readOptions as ReadOptions<never>;
}
