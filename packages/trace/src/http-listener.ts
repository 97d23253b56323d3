/** Listeners of Node's own servers that run in the context of their request. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { begin, type NodeRequest, type NodeResponse } from "./connect.js";
import { switchOn } from "./context/storage.js";
import { describe, invalidArgument } from "./errors.js";
import { readOptions, type TraceOptions } from "./inbound/options.js";

/**
 * Returns a listener for `http.createServer` and `http2.createServer` that runs another one in the request's context. If the factory
 * fails, the answer is 500, and a warning (`MOONPACK_TRACE_FACTORY`) says why, once for each listener. Throws `ERR_INVALID_ARGUMENT`
 * for invalid arguments.
 *
 * @example
 * createServer(httpListener((request, response) => response.end(String(id())))).listen(8080);
 */
export function httpListener<
  Request extends NodeRequest = IncomingMessage,
  Response extends NodeResponse = ServerResponse<IncomingMessage>,
>(
  // The types come from the server, not from the listener: an application of Express accepts more.
  listener: (request: NoInfer<Request>, response: NoInfer<Response>) => unknown,
  options?: TraceOptions<NoInfer<Request>>,
): (request: Request, response: Response) => void;
/** Returns the same for a listener that declares its messages, which `http2.createServer` with options requires. */
export function httpListener<Request extends NodeRequest, Response extends NodeResponse>(
  listener: (request: Request, response: Response) => unknown,
  options?: TraceOptions<Request>,
): (request: Request, response: Response) => void;
export function httpListener<Request extends NodeRequest, Response extends NodeResponse>(
  listener: (request: Request, response: Response) => unknown,
  options?: TraceOptions<Request>,
): (request: Request, response: Response) => void {
  if (typeof listener !== "function") throw invalidArgument(`expected a function, not ${describe(listener)}`);
  const settings = readOptions(options);
  if (!settings.enabled) return listener;
  switchOn();
  let hasWarned = false;
  return function (this: unknown, request, response) {
    // The result is for servers with captureRejections.
    return begin(settings, request, response, (error) => {
      if (error === undefined) return listener.call(this, request, response);
      if (!hasWarned) {
        hasWarned = true;
        const code = "MOONPACK_TRACE_FACTORY";
        process.emitWarning(`requestIdFactory failed, the answer is 500: ${textOf(error)}`, { code });
      }
      return refuse(response);
    });
  };
}

function textOf(error: unknown): string {
  try {
    const { stack, message } = error as Error;
    return String(stack ?? message);
  } catch {
    return "an error that cannot be printed";
  }
}

function refuse(response: NodeResponse): void {
  if (!response.headersSent) response.statusCode = 500;
  response.end();
}
