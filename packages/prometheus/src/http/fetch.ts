/** `@moonpack/prometheus/fetch`: the HTTP API for servers that take a Request and return a Response. */
import { invalidArgument } from "moonpack/bytes";
import { streamOf } from "./gzip.js";
import type { HttpAnswer, HttpRequest } from "./messages.js";

export type { HttpAnswer, HttpRequest } from "./messages.js";

/** Something that answers requests: the result of `createPrometheus`. */
export interface Answering {
  /** Answers a request of the HTTP API. */
  answer(request: HttpRequest): Promise<HttpAnswer>;
}

/**
 * Returns a handler of Prometheus' HTTP API for servers such as Hono, Deno and Bun. The path of a request begins with `/api/v1/`, `/-/` or
 * `/metrics`. Throws `ERR_INVALID_ARGUMENT`.
 *
 * @example
 * const answer = fetchHandler(createPrometheus(series));
 * Deno.serve({ hostname: "127.0.0.1", port: 9090 }, answer);
 */
export function fetchHandler(prometheus: Answering): (request: Request) => Promise<Response> {
  if (typeof prometheus?.answer !== "function")
    throw invalidArgument("fetchHandler takes the result of createPrometheus");
  return async ({ method, url, headers, body, signal }) => {
    const chunks = body === null ? undefined : chunksOf(body);
    const answer = await prometheus.answer({ method, url, headers, body: chunks, signal });
    const content =
      answer.body instanceof Uint8Array ? (answer.body as Uint8Array<ArrayBuffer>) : streamOf(answer.body);
    const isEmpty = method === "HEAD" || answer.status === 204;
    return new Response(isEmpty ? null : content, { status: answer.status, headers: { ...answer.headers } });
  };
}

/** Yields the chunks of a stream. Not all runtimes iterate over streams. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
