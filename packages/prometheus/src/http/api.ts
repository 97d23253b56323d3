/** Prometheus' HTTP API, apart from any server. */
import { BodyMemory } from "./body.js";
import { kindOf, RequestError } from "./errors.js";
import { acceptsGzip, isWorthPacking, packed } from "./gzip.js";
import type { HttpAnswer, HttpRequest, Reply } from "./messages.js";
import { RequestCounts } from "./own-metrics.js";
import { readParameters } from "./parameters.js";
import { type Route, type RouteParts, routeOf } from "./routes.js";

const JSON_TYPE = "application/json; charset=utf-8";
const NOT_FOUND = "(not found)";
/** The memory of all bodies is this many times `maxBodyBytes`. */
const BODIES_AT_ONCE = 16;

/** Answers requests. */
export class Api {
  readonly #parts: RouteParts;

  constructor(parts: Omit<RouteParts, "requests" | "bodies">) {
    const bodies = new BodyMemory(BODIES_AT_ONCE * parts.engine.settings.maxBodyBytes);
    this.#parts = { ...parts, requests: new RequestCounts(), bodies };
  }

  /** The longest time that a client may take nothing of its answer, in milliseconds. */
  get patience(): number {
    return this.#parts.engine.settings.timeout;
  }

  /** Returns the answer to a request. It does not throw. */
  async answer(request: HttpRequest): Promise<HttpAnswer> {
    const { requests } = this.#parts;
    const [path, query] = partsOf(request.url);
    const route = routeOf(path);
    let answer: HttpAnswer;
    try {
      answer = packedFor(request, answerOf(await this.#reply(request, route, path, query)));
    } catch (error) {
      // A body that was cut off is an error of any kind.
      const hasLeft = request.signal?.aborted === true;
      answer = errorAnswer(hasLeft ? new RequestError(["canceled", 499], "the client has left") : error);
    }
    requests.add(route?.name ?? NOT_FOUND, answer.status);
    return request.method === "HEAD" ? { ...answer, body: new Uint8Array(0) } : answer;
  }

  async #reply(request: HttpRequest, route: Route | undefined, path: string, query: string): Promise<Reply> {
    if (route === undefined) throw new RequestError(["not_found", 404], `no such path: ${path}`);
    const method = request.method === "HEAD" ? "GET" : request.method;
    if (!route.methods.includes(method)) {
      const allowed = route.methods.flatMap((one) => (one === "GET" ? ["GET", "HEAD"] : [one])).join(", ");
      throw new RequestError(["bad_data", 405], `${request.method} is not a method of this path`, allowed);
    }
    const { bodies, engine } = this.#parts;
    const form = route.readsBody === true ? { ...request, method: "GET" } : request;
    const parameters = await readParameters(form, query, engine.settings.maxBodyBytes, bodies);
    const signal = request.signal ?? new AbortController().signal;
    return await route.run({ parts: this.#parts, parameters, signal, request });
  }
}

/** Splits a URL or its path. */
function partsOf(url: string): readonly [path: string, query: string] {
  const rest = /^[a-z]+:\/\//i.test(url) ? url.replace(/^[a-z]+:\/\/[^/?#]*/i, "") : url;
  const [before = ""] = rest.split("#", 1);
  const at = before.indexOf("?");
  return at === -1 ? [before || "/", ""] : [before.slice(0, at) || "/", before.slice(at + 1)];
}

function answerOf(reply: Reply): HttpAnswer {
  if ("text" in reply) return textAnswer(reply.status ?? 200, reply.text, reply.type);
  if ("chunks" in reply) return { status: 200, headers: { "content-type": JSON_TYPE }, body: encoded(reply.chunks) };
  return textAnswer(
    200,
    JSON.stringify({ status: "success", data: reply.data, ...warnings(reply.warnings) }),
    JSON_TYPE,
  );
}

function warnings(texts: readonly string[] = []): { readonly warnings?: readonly string[] } {
  return texts.length === 0 ? {} : { warnings: texts };
}

function textAnswer(status: number, text: string, type: string): HttpAnswer {
  return { status, headers: { "content-type": type }, body: new TextEncoder().encode(text) };
}

/** The answer of an error. */
function errorAnswer(error: unknown): HttpAnswer {
  const [errorType, status] = kindOf(error);
  const text = error instanceof Error ? error.message : "an error of unknown kind";
  const { headers, ...answer } = textAnswer(
    status,
    JSON.stringify({ status: "error", errorType, error: text }),
    JSON_TYPE,
  );
  const allow = error instanceof RequestError ? error.allow : undefined;
  return { ...answer, headers: allow === undefined ? headers : { ...headers, allow } };
}

async function* encoded(chunks: AsyncIterable<string>): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  for await (const chunk of chunks) yield encoder.encode(chunk);
}

/** Packs an answer for a client that accepts it. */
function packedFor({ headers, method }: HttpRequest, answer: HttpAnswer): HttpAnswer {
  if (!isWorthPacking(answer.body)) return answer;
  const own = { ...answer.headers, vary: "Accept-Encoding" };
  if (method === "HEAD" || !acceptsGzip(headers.get("accept-encoding"))) return { ...answer, headers: own };
  return { ...answer, headers: { ...own, "content-encoding": "gzip" }, body: packed(answer.body) };
}
