/** The HTTP API for servers of `node:http`. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Api } from "./api.js";
import type { HttpAnswer } from "./messages.js";

/** A handler of requests of `node:http`. Its promise resolves when the answer is sent, or the client has left. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Returns a handler that answers by an API. */
export function nodeHandler(api: Api): NodeHandler {
  return async (request, response) => {
    const left = new AbortController();
    response.once("close", () => left.abort());
    if (response.destroyed) left.abort();
    const answer = await api.answer({
      method: request.method ?? "GET",
      url: request.url ?? "/",
      headers: { get: (name) => headerOf(request, name) },
      // The iterator of the request would destroy the connection, and with it the answer.
      body: request.iterator({ destroyOnReturn: false }),
      signal: left.signal,
    });
    await send(response, answer, left.signal, api.patience);
    if (!request.readableEnded && !request.destroyed) discard(request, response);
  };
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  return Array.isArray(value) ? value.join(", ") : value;
}

/** Sends an answer at the pace of the client, which is disconnected if it takes nothing for `patience` milliseconds. */
async function send(
  response: ServerResponse,
  { status, headers, body }: HttpAnswer,
  left: AbortSignal,
  patience: number,
): Promise<void> {
  if (left.aborted || response.destroyed) return;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (body instanceof Uint8Array) {
    response.end(body);
    return;
  }
  try {
    for await (const chunk of body) {
      if (left.aborted) return;
      if (!response.write(chunk)) await drained(response, left, patience);
    }
    response.end();
  } catch (error) {
    // The client learns that the answer is not complete.
    response.destroy(error as Error);
  }
}

/** Resolves when a response takes more, or its client has left. An answer that is not read would stay in memory. */
function drained(response: ServerResponse, left: AbortSignal, patience: number): Promise<void> {
  return new Promise((resolve) => {
    if (left.aborted) return resolve();
    const timer = setTimeout(() => response.destroy(), Math.min(patience, 2 ** 31 - 1));
    const next = (): void => {
      clearTimeout(timer);
      response.removeListener("drain", next);
      left.removeEventListener("abort", next);
      resolve();
    };
    response.once("drain", next);
    left.addEventListener("abort", next, { once: true });
  });
}

/** The most bytes of a body that are read after the answer, for a client that reads the answer only then. */
const MAX_DISCARDED = 1 << 20;

function discard(request: IncomingMessage, response: ServerResponse): void {
  let rest = MAX_DISCARDED;
  request.on("error", () => undefined);
  request.on("data", (chunk: Uint8Array) => {
    rest -= chunk.length;
    if (rest < 0) response.destroy();
  });
}
