/**
 * MessagePack and PCK for Koa 2 and 3.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { RequestError } from "../errors.js";
import { PROBLEM_TYPE } from "../media-types.js";
import { isOfOthers } from "../server/body-type.js";
import { checkParsed, noteRead } from "../server/parsed.js";
import { readValue, readValues } from "../server/read.js";
import {
  type BodiesOptions,
  type ReadOptions,
  readSettings,
  type SendOptions,
  type SendStreamOptions,
} from "../server/settings.js";
import { encodeBody } from "../server/write.js";
import { encodeValues, type ValuesToSend } from "../server/write-stream.js";
import { checkStatus, discardBody, incomingOf, recipientOf } from "./messages.js";
import { readableOf } from "./send.js";

/** Koa's context, as far as it is used. */
export interface KoaContextLike {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly request: object;
  status: number;
  body: unknown;
  set(name: string, value: string): void;
  vary(field: string): void;
}

/** A middleware. */
export type KoaMiddleware = (context: KoaContextLike, next: () => Promise<unknown>) => Promise<void>;

/** Reads requests and sends responses. Made by {@link bodies}. */
export interface KoaBodies {
  /**
   * A middleware that reads the body to `ctx.request.body`; undefined without a body. Errors are answered with a problem document. A
   * body that another parser has read is left as it is, and so is one of another type, such as a form, for a parser behind. With a
   * schema (`pck`) a body of another type is status 415, and one that was read before is checked: what another parser made of it is in
   * the JSON form.
   */
  body<Out = unknown>(options?: ReadOptions<Out>): KoaMiddleware;
  /** A middleware for the begin of the chain: answers a `RequestError` that a later one throws, and lets all others pass. */
  readonly errors: KoaMiddleware;
  /** Reads the value of a body; undefined if there is neither a body nor a Content-Type. Rejects with a `RequestError`. */
  read<Out = unknown>(context: KoaContextLike, options?: ReadOptions<Out>): Promise<Out | undefined>;
  /** Yields the values of a body as they arrive, as fast as they are taken. Throws as `read` rejects. */
  readStream<Out = unknown>(context: KoaContextLike, options?: ReadOptions<Out>): AsyncGenerator<Out, void, undefined>;
  /** Sets `ctx.body` to the value in the format that the client prefers, or answers 406. Throws the `EncodeError` of the value. */
  send<In = unknown>(context: KoaContextLike, value: In, options?: SendOptions<In>): void;
  /** Sets `ctx.body` to a stream of values. Rejects with the error of the values up to the first one. A later one cuts the answer. */
  sendStream<In = unknown>(
    context: KoaContextLike,
    values: ValuesToSend<In>,
    options?: SendStreamOptions<In>,
  ): Promise<void>;
}

/**
 * Makes the middleware and the functions that read and write bodies. `ERR_INVALID_ARGUMENT` for an invalid option.
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
    body: (call) => async (context, next) => {
      const request = context.request as { body?: unknown };
      // Parsers of other types may have set it, but read nothing.
      const isParsed = request.body !== undefined && context.req.readableDidRead;
      const isLeft = call?.pck === undefined && isOfOthers(incomingOf(context.req), settings);
      try {
        if (isParsed) request.body = checkParsed(context.req, incomingOf(context.req), request.body, settings, call);
        else if (!isLeft) {
          request.body = await koa.read(context, call);
          noteRead(context.req, settings, call);
        }
      } catch (error) {
        return refuse(context, error);
      }
      await next();
    },
    async errors(context, next) {
      try {
        await next();
      } catch (error) {
        refuse(context, error);
      }
    },
    read: ({ req }, call) => readValue(incomingOf(req), settings, call),
    readStream: ({ req }, call) => readValues(incomingOf(req), settings, call),
    send(context, value, call) {
      checkStatus(context.status);
      try {
        const { type, bytes } = encodeBody(context.req.headers.accept, value, settings, call);
        head(context, type);
        context.body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      } catch (error) {
        refuse(context, error);
      }
    },
    async sendStream(context, values, call) {
      checkStatus(context.status);
      const { req, res } = context;
      try {
        const { type, chunks } = await encodeValues(recipientOf(req, res), values, settings, call);
        head(context, type);
        // Koa leaves an answer open whose stream fails.
        context.body = readableOf(chunks, () => res.headersSent && res.destroy());
      } catch (error) {
        refuse(context, error);
      }
    },
  };
  return koa;
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
