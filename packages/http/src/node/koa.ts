/**
 * MessagePack and PCK for Koa 2 and 3.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { RequestError } from "../errors.js";
import { PROBLEM_TYPE } from "../media-types.js";
import { isOfOthers } from "../server/body-type.js";
import type { Incoming } from "../server/incoming.js";
import { checkParsed, isParsed, noteRead } from "../server/parsed.js";
import { readValue, readValues } from "../server/read.js";
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
import { checkStatus, discardBody, incomingOf, recipientOf } from "./messages.js";
import { readableOf } from "./send.js";

/** The members of Koa's context that are used. */
export interface KoaContextLike {
  /** Node's request. */
  readonly req: IncomingMessage;
  /** Node's response. */
  readonly res: ServerResponse;
  /** Koa's request, which gets the property `body`. */
  readonly request: object;
  /** The status of the answer. */
  status: number;
  /** The body of the answer. */
  body: unknown;
  /** Sets a header. */
  set(name: string, value: string): void;
  /** Adds a name to the header Vary. */
  vary(field: string): void;
}

/** A middleware. */
export type KoaMiddleware = (context: KoaContextLike, next: () => Promise<unknown>) => Promise<void>;

/** Reads requests and sends responses. Made by {@link bodies}. */
export interface KoaBodies {
  /**
   * Returns a middleware that reads the body to `ctx.request.body`; undefined without a body. Errors are answered with a problem
   * document. A body that another parser has read stays as it is. A body of another type, such as a form, is left to later parsers.
   * With a schema (`pck`) a body of another type is status 415, and a body that was read before is checked: the value of another
   * parser must be in the JSON form. Throws `ERR_INVALID_ARGUMENT` for an invalid option.
   */
  body<Out = unknown>(options?: ReadValueOptions<Out>): KoaMiddleware;
  /** A middleware for the start of the chain: answers a `RequestError` that a later middleware throws, and rethrows other errors. */
  readonly errors: KoaMiddleware;
  /** Reads the value of a body; undefined if there is neither a body nor a Content-Type. Rejects with a `RequestError`. */
  read<Out = unknown>(context: KoaContextLike, options?: ReadValueOptions<Out>): Promise<Out | undefined>;
  /** Yields the values of a body as they arrive, with back-pressure. Throws the errors of `read`. */
  readStream<Out = unknown>(context: KoaContextLike, options?: ReadOptions<Out>): AsyncGenerator<Out, void, undefined>;
  /** Sets `ctx.body` to the value in the format that the client prefers, or answers 406. Throws the `EncodeError` of the value. */
  send<In = unknown>(context: KoaContextLike, value: In, options?: SendOptions<In>): void;
  /**
   * Sets `ctx.body` to a stream of values. Rejects if `values` throws before its first value. A later error aborts the
   * response.
   */
  sendStream<In = unknown>(
    context: KoaContextLike,
    values: ValuesToSend<In>,
    options?: SendStreamOptions<In>,
  ): Promise<void>;
}

/**
 * Returns the middleware and the functions that read and write bodies. Throws `ERR_INVALID_ARGUMENT` for an invalid option.
 *
 * @example
 * const http = bodies();
 * app.use(http.body());
 * app.use((ctx) => http.send(ctx, { got: ctx.request.body }));
 */
export function bodies(options?: BodiesOptions): KoaBodies {
  const settings = readSettings(options);
  const refuse = (context: KoaContextLike, error: unknown): void => {
    if (!(error instanceof RequestError)) throw error;
    settings.onError(error);
    answer(context, error);
  };
  const koa: KoaBodies = {
    body(callOptions) {
      const { pck, pick } = checkReadOptions(settings, callOptions);
      const leavesOthers = pck === undefined && pick === undefined;
      return async (context, next) => {
        const request = context.request as { body?: unknown };
        const isLeft = leavesOthers && isOfOthers(incomingOf(context.req), settings);
        try {
          if (isParsed(context.req, request.body))
            request.body = checkParsed(context.req, incomingOf(context.req), request.body, settings, callOptions);
          else if (!isLeft) {
            request.body = await koa.read(context, callOptions);
            noteRead(context.req, settings, callOptions);
          }
        } catch (error) {
          return refuse(context, error);
        }
        await next();
      };
    },
    async errors(context, next) {
      try {
        await next();
      } catch (error) {
        refuse(context, error);
      }
    },
    read: async (context, callOptions) => readValue(requestOf(context), settings, callOptions),
    readStream: (context, callOptions) => readValues(requestOf(context), settings, callOptions),
    send(context, value, callOptions) {
      checkArgument(context, "req", CONTEXT);
      checkStatus(context.status);
      try {
        const { type, bytes } = encodeBody(context.req.headers.accept, value, settings, callOptions);
        head(context, type);
        context.body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      } catch (error) {
        refuse(context, error);
      }
    },
    async sendStream(context, values, callOptions) {
      checkArgument(context, "req", CONTEXT);
      checkStatus(context.status);
      const { req, res } = context;
      try {
        const { type, chunks } = await encodeValues(recipientOf(req, res), values, settings, callOptions);
        head(context, type);
        // Koa does not close a response whose stream fails.
        context.body = readableOf(chunks, () => res.headersSent && res.destroy());
      } catch (error) {
        refuse(context, error);
      }
    },
  };
  return koa;
}

const CONTEXT = "a context of Koa";

function requestOf(context: KoaContextLike): Incoming {
  checkArgument(context, "req", CONTEXT);
  return incomingOf(context.req);
}

function head(context: KoaContextLike, type: string): void {
  context.vary("Accept");
  context.set("content-type", type);
}

function answer(context: KoaContextLike, error: RequestError): void {
  for (const [name, value] of Object.entries(error.headers)) context.set(name, value);
  context.status = error.status;
  head(context, PROBLEM_TYPE);
  context.body = JSON.stringify(error.toProblem());
  discardBody(context.req);
}
