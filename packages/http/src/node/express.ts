/**
 * MessagePack and PCK for Express 4 and 5, and for other servers of the form `(request, response, next)`.
 *
 * @module
 */
import { RequestError } from "../errors.js";
import { isOfOthers } from "../server/body-type.js";
import { checkParsed, noteRead } from "../server/parsed.js";
import { type BodiesOptions, type ReadOptions, readSettings } from "../server/settings.js";
import { type NodeBodies, type NodeRequest, type NodeResponse, bodies as nodeBodies } from "./index.js";
import { incomingOf } from "./messages.js";
import { sendValue } from "./send.js";

/** A request, as far as the middleware uses it. */
export type ExpressRequest = NodeRequest & { body?: unknown; _body?: boolean };

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
   * A middleware that reads the body to `request.body`; it stays undefined without a body. Errors are answered with a problem
   * document. A body that another parser has read, such as `express.json()`, is left as it is, and so is one of another type, such
   * as a form, for a parser behind. With a schema (`pck`) a body of another type is status 415, and one that was read before is
   * checked: what another parser made of it is in the JSON form.
   */
  body<Out = unknown>(options?: ReadOptions<Out>): ExpressMiddleware;
  /**
   * A middleware for errors, for `app.use` behind the routes: answers a `RequestError` that a route has thrown, from `readStream` or
   * `read`, and passes on all others.
   */
  readonly errors: ExpressErrorMiddleware;
}

/**
 * Makes the middleware and the functions that read and write bodies. `ERR_INVALID_ARGUMENT` for an invalid option.
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
    send: (response, value, call) => sendValue(response.req, response, value, settings, call, sender(response)),
    body(call) {
      return (request, response, next) => {
        if (isParsed(request)) {
          try {
            request.body = checkParsed(request, incomingOf(request), request.body, settings, call);
          } catch (error) {
            return answer(node, response, error, next);
          }
          return next();
        }
        if (call?.pck === undefined && isOfOthers(incomingOf(request), settings)) return next();
        node.read(request, call).then(
          (value) => {
            request.body = value;
            noteRead(request, settings, call);
            // The mark of body-parser 1, by which Express 4's parsers know that there is nothing left to read.
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

/** Express's own `send`, which knows ETag and 304; undefined in servers without it. */
function sender(response: NodeResponse): ((bytes: Uint8Array<ArrayBuffer>) => void) | undefined {
  const { send } = response as { send?: unknown };
  if (typeof send !== "function") return undefined;
  return ({ buffer, byteOffset, length }) => void send.call(response, Buffer.from(buffer, byteOffset, length));
}

/** True if another parser has read the body. Those of other types may have set `body`, but read nothing. */
function isParsed(request: ExpressRequest): boolean {
  return request.body !== undefined && request.readableDidRead;
}

function answer(node: NodeBodies, response: NodeResponse, error: unknown, next: (error?: unknown) => void): void {
  if (error instanceof RequestError && !response.headersSent) node.sendProblem(response, error);
  else next(error);
}
