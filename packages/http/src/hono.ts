/**
 * MessagePack and PCK for Hono, on workers, Node, Deno and Bun.
 *
 * @module
 */
import { RequestError } from "./errors.js";
import { readValue, readValues } from "./server/read.js";
import {
  type BodiesOptions,
  checkArgument,
  type ReadOptions,
  type ReadValueOptions,
  readSettings,
  type SendOptions,
  type SendStreamOptions,
} from "./server/settings.js";
import { encodeBody } from "./server/write.js";
import { encodeValues, type ValuesToSend } from "./server/write-stream.js";
import { readableOf } from "./streams/encode.js";
import { incomingOf, recipientOf } from "./web.js";

/** The members of Hono's context that are used. */
export interface HonoContextLike {
  /** Hono's request. */
  readonly req: { readonly raw: Request };
  /** Sets a header of the response. */
  header(name: string, value?: string, options?: { append?: boolean }): void;
  /** Returns a response with a body. */
  body(data: Uint8Array<ArrayBuffer> | ReadableStream): Response;
}

/** Reads requests and makes responses. Made by {@link bodies}. */
export interface HonoBodies {
  /**
   * Reads the value of a body; undefined if there is neither a body nor a Content-Type. Rejects with a `RequestError`, which Hono
   * answers with its problem document: an `app.onError` of yours must do so with `error.getResponse()`.
   */
  read<Out = unknown>(context: HonoContextLike, options?: ReadValueOptions<Out>): Promise<Out | undefined>;
  /** Yields the values of a body as they arrive, with back-pressure. Throws the errors of `read`. */
  readStream<Out = unknown>(context: HonoContextLike, options?: ReadOptions<Out>): AsyncGenerator<Out, void, undefined>;
  /** Returns a response with the value in the format that the client prefers. Throws a `RequestError` for 406, or an `EncodeError`. */
  send<In = unknown>(context: HonoContextLike, value: In, options?: SendOptions<In>): Response;
  /**
   * Resolves to a response with a stream of values. Rejects if `values` throws before its first value. A later error aborts
   * the response.
   */
  sendStream<In = unknown>(
    context: HonoContextLike,
    values: ValuesToSend<In>,
    options?: SendStreamOptions<In>,
  ): Promise<Response>;
}

/**
 * Returns the functions that read and write bodies. Throws `ERR_INVALID_ARGUMENT` for an invalid option.
 *
 * @example
 * const http = bodies();
 * app.post("/users", async (c) => http.send(c, create(await http.read(c))));
 */
export function bodies(options?: BodiesOptions): HonoBodies {
  const settings = readSettings(options);
  const note = (error: unknown): unknown => {
    if (error instanceof RequestError) settings.onError(error);
    return error;
  };
  return {
    async read(context, callOptions) {
      try {
        return await readValue(incomingOf(requestOf(context)), settings, callOptions);
      } catch (error) {
        throw note(error);
      }
    },
    async *readStream(context, callOptions) {
      try {
        yield* readValues(incomingOf(requestOf(context)), settings, callOptions);
      } catch (error) {
        throw note(error);
      }
    },
    send(context, value, callOptions) {
      try {
        const { type, bytes } = encodeBody(acceptOf(context), value, settings, callOptions);
        head(context, type);
        context.header("content-length", String(bytes.length));
        return context.body(bytes);
      } catch (error) {
        throw note(error);
      }
    },
    async sendStream(context, values, callOptions) {
      try {
        const { type, chunks } = await encodeValues(recipientOf(requestOf(context)), values, settings, callOptions);
        head(context, type);
        return context.body(readableOf(chunks));
      } catch (error) {
        throw note(error);
      }
    },
  };
}

function requestOf(context: HonoContextLike): Request {
  checkArgument(context, "req", "a context of Hono");
  return context.req.raw;
}

function acceptOf(context: HonoContextLike): string | undefined {
  return requestOf(context).headers.get("accept") ?? undefined;
}

function head(context: HonoContextLike, type: string): void {
  context.header("vary", "Accept", { append: true });
  context.header("content-type", type);
}
