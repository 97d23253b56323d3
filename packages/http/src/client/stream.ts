/** Fetches a stream of values. */
import { decodeFrames, decodeStream } from "moonpack/stream";
import { isMsgpack } from "../media-types.js";
import { connectionError } from "./errors.js";
import { type Answer, type FetchOptions, send } from "./send.js";
import { wrongType } from "./value.js";

/**
 * Sends a request, and yields the values of the answer as they arrive, with back-pressure. Leaving the loop, or aborting `signal`, ends
 * the request. An answer without a body yields nothing.
 *
 * Throws the errors of `fetchValue`. A truncated stream is an error: `ERR_HTTP_CONNECTION` if the connection ended early,
 * `ERR_TRUNCATED` if the body ended inside a value.
 *
 * @example
 * for await (const row of fetchStream<Row>("/rows")) show(row);
 */
export async function* fetchStream<Out = unknown, In = unknown>(
  url: string | URL,
  options?: FetchOptions<Out, In>,
): AsyncGenerator<Out, void, undefined> {
  const answer = await send(url, options, true);
  const { response, signal } = answer;
  if (response.body === null || response.status === 304) return;
  try {
    yield* valuesOf(answer) as AsyncIterable<Out>;
  } catch (error) {
    throw connectionError(error, signal);
  }
}

function valuesOf(answer: Answer): AsyncIterable<unknown> {
  const { response, type, essence, format, maxBytes, signal } = answer;
  const abort = signal ? { signal } : {};
  const body = response.body!;
  if (!isMsgpack(essence)) {
    const decode = format?.kind === "pck" ? format.decoderOf(type, true) : undefined;
    if (decode === undefined) throw wrongType(answer);
    return decodeFrames(body, { ...abort, decode, maxFrameBytes: maxBytes });
  }
  if (format?.kind === "pck") return checked(decodeStream(body, { ...abort, maxBytes }), format.check);
  return decodeStream(body, { ...format?.decoderOptions, ...abort, maxBytes });
}

async function* checked(values: AsyncIterable<unknown>, check: (value: unknown) => unknown): AsyncGenerator<unknown> {
  for await (const value of values) yield check(value);
}
