/**
 * MessagePack and PCK for Node's own servers: `http`, `https` and `http2`.
 *
 * @module
 */
import { readValue, readValues } from "../server/read.js";
import {
  type BodiesOptions,
  type ReadOptions,
  type ReadValueOptions,
  readSettings,
  type SendOptions,
  type SendStreamOptions,
} from "../server/settings.js";
import type { ValuesToSend } from "../server/write-stream.js";
import { answerProblem, incomingOf, type NodeRequest, type NodeResponse } from "./messages.js";
import { sendValue, sendValues } from "./send.js";

export type { NodeRequest, NodeResponse };

/** Reads requests and sends responses. Made by {@link bodies}. */
export interface NodeBodies {
  /**
   * Reads the value of a body; undefined if there is neither a body nor a Content-Type. Rejects with a `RequestError`: 400 for
   * invalid bytes and a truncated body, 413 above the limit, 415 for another type.
   */
  read<Out = unknown>(request: NodeRequest, options?: ReadValueOptions<Out>): Promise<Out | undefined>;
  /** Yields the values of a body as they arrive, with back-pressure. Throws the errors of `read`. */
  readStream<Out = unknown>(request: NodeRequest, options?: ReadOptions<Out>): AsyncGenerator<Out, void, undefined>;
  /**
   * Sends a value in the format that the client prefers, with the status that the response has, or answers 406. Throws the
   * `EncodeError` of a value that cannot be encoded.
   */
  send<In = unknown>(response: NodeResponse, value: In, options?: SendOptions<In>): void;
  /**
   * Sends a stream of values, as fast as the client reads. Resolves to true when all values are sent, and to false if the client left
   * early. Rejects with the error of the values: before the head is sent, or else the client gets a truncated stream.
   */
  sendStream<In = unknown>(
    response: NodeResponse,
    values: ValuesToSend<In>,
    options?: SendStreamOptions<In>,
  ): Promise<boolean>;
  /**
   * Answers with the problem document of a `RequestError`. Any other error is status 500, and only `onError` sees it. If the head is
   * already sent, the connection is closed, so that the client sees an error. Throws `ERR_INVALID_ARGUMENT` for anything
   * but a response, and nothing else.
   */
  sendProblem(response: NodeResponse, error: unknown): void;
}

/**
 * Returns the functions that read and write bodies. Throws `ERR_INVALID_ARGUMENT` for an invalid option.
 *
 * @example
 * const http = bodies();
 * createServer(async (request, response) => {
 *   try { http.send(response, { got: await http.read(request) }); } catch (error) { http.sendProblem(response, error); }
 * });
 */
export function bodies(options?: BodiesOptions): NodeBodies {
  const settings = readSettings(options);
  return {
    read: async (request, callOptions) => readValue(incomingOf(request), settings, callOptions),
    readStream: (request, callOptions) => readValues(incomingOf(request), settings, callOptions),
    send: (response, value, callOptions) => sendValue(response, value, settings, callOptions),
    sendStream: (response, values, callOptions) => sendValues(response, values, settings, callOptions),
    sendProblem: (response, error) => answerProblem(response, error, settings),
  };
}
