/** Node's requests and responses, for all frameworks on Node. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Readable } from "node:stream";
import { invalidArgument } from "moonpack/bytes";
import { append } from "vary";
import { type RequestError, toRequestError } from "../errors.js";
import { PROBLEM_TYPE } from "../media-types.js";
import type { Incoming } from "../server/incoming.js";
import { checkArgument, type Settings } from "../server/settings.js";
import { MAX_DISCARDED_BYTES } from "../server/web-body.js";
import type { Recipient } from "../server/write-stream.js";

/** A request of `http` or `http2`. */
export type NodeRequest = IncomingMessage | Http2ServerRequest;
/** A response of `http` or `http2`. */
export type NodeResponse = ServerResponse | Http2ServerResponse;

/** Returns a request as an {@link Incoming}. `payload` is its body, if the framework has replaced the stream. */
export function incomingOf(request: NodeRequest, payload: Readable = request): Incoming {
  checkArgument(request, "headers", "a request of Node");
  return {
    header(name) {
      const value = request.headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    },
    body: () => bodyOf(payload, request),
  };
}

async function* bodyOf(payload: Readable, request: NodeRequest): AsyncGenerator<Uint8Array, void> {
  // An aborted request may end without an error.
  if (payload.readableEnded || (payload.readableDidRead && payload === request))
    throw invalidArgument("the body of the request has been read already, by another parser of bodies");
  try {
    // The iterator would destroy the connection, and with it the answer.
    yield* payload.iterator({ destroyOnReturn: false });
  } finally {
    if (!payload.readableEnded && !payload.destroyed) discard(payload);
  }
}

/** Reads and discards the rest, for a client that reads the answer only after it has sent its body. */
function discard(payload: Readable): void {
  let left = MAX_DISCARDED_BYTES;
  payload.on("error", () => undefined);
  payload.on("data", (chunk: Uint8Array) => {
    left -= chunk.length;
    if (left < 0) payload.destroy();
  });
}

/** Discards the body of a request that was refused by its head. */
export function discardBody(request: NodeRequest): void {
  if (!request.readableEnded && !request.destroyed && !request.readableDidRead) discard(request);
}

/** Adds Accept to the header Vary. */
export function varyByAccept(response: NodeResponse): void {
  const vary = response.getHeader("vary");
  response.setHeader("vary", append(Array.isArray(vary) ? vary.join(", ") : String(vary ?? ""), "Accept"));
}

/** True if nothing can be sent any more. In HTTP/2 the stream has `destroyed`, not the response. */
export function isGone(response: NodeResponse): boolean {
  return response.destroyed || ("stream" in response && response.stream.destroyed);
}

/** Returns the client of a response, for a stream. */
export function recipientOf(request: NodeRequest, response: NodeResponse): Recipient {
  const left = new AbortController();
  if (isGone(response)) left.abort();
  else (response as ServerResponse).once("close", () => left.abort());
  return { accept: request.headers.accept, isHead: request.method === "HEAD", left: left.signal };
}

/** Answers with the problem document of an error. Does nothing if the head is sent, or the connection is closed. */
export function sendProblem(request: NodeRequest, response: NodeResponse, error: RequestError): void {
  if (response.headersSent || isGone(response)) return;
  const body = Buffer.from(JSON.stringify(error.toProblem()));
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  varyByAccept(response);
  response.statusCode = error.status;
  response.setHeader("content-type", PROBLEM_TYPE);
  response.setHeader("content-length", body.length);
  (response as ServerResponse).end(body);
  discardBody(request);
}

/** Answers any error: 500 unless it is a {@link RequestError} with valid headers. Throws only for anything but a response. */
export function answerProblem(response: NodeResponse, error: unknown, settings: Settings): void {
  checkArgument(response, "setHeader", "a response of Node");
  const known = toRequestError(error);
  settings.onError(known);
  try {
    if (response.headersSent && !response.writableEnded) cut(response);
    else sendProblem(response.req, response, known);
  } catch (failure) {
    if (known === error) answerProblem(response, failure, settings);
    else cut(response);
  }
}

/** Closes the connection, or the stream of HTTP/2, so that the client does not treat the data as complete. */
function cut(response: NodeResponse): void {
  ("stream" in response ? response.stream : response).destroy();
}

/** Throws for anything but a response, and for a status that allows no body: the value would be lost. */
export function checkResponse(response: NodeResponse): void {
  checkArgument(response, "setHeader", "a response of Node");
  checkStatus(response.statusCode);
}

/** Throws for a status that allows no body. */
export function checkStatus(status: number): void {
  if (status === 204 || status === 205 || status === 304)
    throw invalidArgument(`an answer with status ${status} has no body: end it without a value`);
}
