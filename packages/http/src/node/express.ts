/**
 * MessagePack and PCK for Express 4 and 5, and for other servers with middlewares `(request, response, next)`.
 *
 * @module
 */
import { RequestError } from "../errors.js";
import { isOfOthers } from "../server/body-type.js";
import { checkParsed, isParsed, noteRead } from "../server/parsed.js";
import { type BodiesOptions, checkReadOptions, type ReadValueOptions, readSettings } from "../server/settings.js";
import { type NodeBodies, type NodeRequest, type NodeResponse, bodies as nodeBodies } from "./index.js";
import { incomingOf } from "./messages.js";
import { sendValue } from "./send.js";

/** The members of a request that the middleware uses. */
export type ExpressRequest = NodeRequest & {
  /** The value of the body. */
  body?: unknown;
  /** True if a parser has read the body: the mark of body-parser 1. */
  _body?: boolean;
};

/** A middleware. */
export type ExpressMiddleware = (
  request: ExpressRequest,
  response: NodeResponse,
  next: (error?: unknown) => void,
) => void;

/** A middleware for errors. */
export type ExpressErrorMiddleware = (
  error: unknown,
  request: ExpressRequest,
  response: NodeResponse,
  next: (error?: unknown) => void,
) => void;

/** Reads requests and sends responses. Made by {@link bodies}. */
export interface ExpressBodies extends NodeBodies {
  /**
   * Returns a middleware that reads the body to `request.body`; it stays undefined without a body. Errors are answered with a problem
   * document. A body that another parser such as `express.json()` has read stays as it is. A body of another type, such as a form, is
   * left to later parsers. With a schema (`pck`) a body of another type is status 415, and a body that was read before is checked: the
   * value of another parser must be in the JSON form. Throws `ERR_INVALID_ARGUMENT` for an invalid option.
   */
  body<Out = unknown>(options?: ReadValueOptions<Out>): ExpressMiddleware;
  /**
   * A middleware for errors, for `app.use` after the routes: answers a `RequestError` that `readStream` or `read` of a route has
   * thrown, and passes on other errors.
   */
  readonly errors: ExpressErrorMiddleware;
}

/**
 * Returns the middleware and the functions that read and write bodies. Throws `ERR_INVALID_ARGUMENT` for an invalid option.
 *
 * @example
 * const http = bodies();
 * app.post("/users", http.body(), (request, response) => http.send(response, create(request.body)));
 */
export function bodies(options?: BodiesOptions): ExpressBodies {
  const settings = readSettings(options);
  const node = nodeBodies(options);
  return {
    ...node,
    send: (response, value, callOptions) => sendValue(response, value, settings, callOptions, sender(response)),
    body(callOptions) {
      const { pck, pick } = checkReadOptions(settings, callOptions);
      const leavesOthers = pck === undefined && pick === undefined;
      return (request, response, next) => {
        if (isParsed(request, request.body)) {
          try {
            request.body = checkParsed(request, incomingOf(request), request.body, settings, callOptions);
          } catch (error) {
            return answer(node, response, error, next);
          }
          return next();
        }
        if (leavesOthers && isOfOthers(incomingOf(request), settings)) return next();
        node.read(request, callOptions).then(
          (value) => {
            request.body = value;
            noteRead(request, settings, callOptions);
            // The mark of body-parser 1: parsers of Express 4 skip a request that has it.
            request._body = true;
            next();
          },
          (error: unknown) => answer(node, response, error, next),
        );
      };
    },
    errors: (error, _request, response, next) => answer(node, response, error, next),
  };
}

/** Returns Express's own `send`, which supports ETag and 304; undefined in servers without it. */
function sender(response: NodeResponse): ((bytes: Uint8Array<ArrayBuffer>) => void) | undefined {
  const send = (response as { send?: unknown } | undefined)?.send;
  if (typeof send !== "function") return undefined;
  return ({ buffer, byteOffset, length }) => void send.call(response, Buffer.from(buffer, byteOffset, length));
}

function answer(node: NodeBodies, response: NodeResponse, error: unknown, next: (error?: unknown) => void): void {
  if (error instanceof RequestError && !response.headersSent) node.sendProblem(response, error);
  else next(error);
}
