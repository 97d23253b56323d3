/** Sends values and streams to Node's responses. */
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { RequestError } from "../errors.js";
import type { SendOptions, SendStreamOptions, Settings } from "../server/settings.js";
import { encodeBody } from "../server/write.js";
import { encodeValues, type ValuesToSend } from "../server/write-stream.js";
import type { Chunks } from "../streams/encode.js";
import {
  checkResponse,
  isGone,
  type NodeRequest,
  type NodeResponse,
  recipientOf,
  sendProblem,
  varyByAccept,
} from "./messages.js";

/** Sends a value, or the problem document of status 406. `end` sends the body; by default the response itself does. */
export function sendValue<In>(
  response: NodeResponse,
  value: In,
  settings: Settings,
  options: SendOptions<In> | undefined,
  end = (bytes: Uint8Array<ArrayBuffer>): void => endWith(response, bytes),
): void {
  checkResponse(response);
  const request = response.req;
  answering(request, response, settings, () => {
    const { type, bytes } = encodeBody(request.headers.accept, value, settings, options);
    varyByAccept(response);
    response.setHeader("content-type", type);
    end(bytes);
  });
}

function endWith(response: NodeResponse, bytes: Uint8Array): void {
  response.setHeader("content-length", bytes.length);
  (response as ServerResponse).end(response.req.method === "HEAD" ? undefined : bytes);
}

/**
 * Sends a stream. Resolves to true when all bytes are passed to the connection, and to false if the client left early or accepts no
 * format. Rejects with the error of the values; if the head was sent, the connection is closed, so that the client sees an error.
 */
export async function sendValues<In>(
  response: NodeResponse,
  values: ValuesToSend<In>,
  settings: Settings,
  options: SendStreamOptions<In> | undefined,
): Promise<boolean> {
  checkResponse(response);
  const request = response.req;
  const recipient = recipientOf(request, response);
  const body = await answering(request, response, settings, () => encodeValues(recipient, values, settings, options));
  if (body === undefined || recipient.left.aborted || isGone(response)) return false;
  varyByAccept(response);
  response.setHeader("content-type", body.type);
  if (recipient.isHead) {
    response.end();
    return true;
  }
  (response as ServerResponse).flushHeaders?.();
  return pipe(body.chunks, response as ServerResponse);
}

async function pipe(chunks: Chunks, response: ServerResponse): Promise<boolean> {
  let failure: { readonly error: unknown } | null = null;
  const source = readableOf(chunks, (error) => {
    failure = { error };
  });
  try {
    await pipeline(source, response);
    return true;
  } catch {
    if (failure !== null) throw (failure as { readonly error: unknown }).error;
    return false;
  }
}

/** Returns chunks as a Readable. Destroying it closes the values immediately, also while one is awaited. */
export function readableOf(chunks: Chunks, onError?: (error: unknown) => void): Readable {
  return new Readable({
    highWaterMark: 0,
    read() {
      chunks.next().then(
        ({ done, value }) => this.push(done ? null : value),
        (error: unknown) => {
          // The client has left, and the source is already closed.
          if (this.destroyed) return;
          onError?.(error);
          this.destroy(error as Error);
        },
      );
    },
    destroy(error, done) {
      // Not awaited: a pending source closes when its awaited value arrives.
      chunks.return().catch(() => undefined);
      done(error);
    },
  });
}

/** Runs `work` and returns its result. Answers its {@link RequestError} and returns undefined. */
function answering<T>(request: NodeRequest, response: NodeResponse, settings: Settings, work: () => T): T | undefined;
function answering<T>(
  request: NodeRequest,
  response: NodeResponse,
  settings: Settings,
  work: () => Promise<T>,
): Promise<T | undefined>;
function answering(request: NodeRequest, response: NodeResponse, settings: Settings, work: () => unknown): unknown {
  const refuse = (error: unknown): undefined => {
    if (!(error instanceof RequestError)) throw error;
    settings.onError(error);
    sendProblem(request, response, error);
  };
  try {
    const result = work();
    return result instanceof Promise ? result.catch(refuse) : result;
  } catch (error) {
    return refuse(error);
  }
}
