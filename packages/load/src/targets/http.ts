/** A target: an HTTP/1.1 server, by undici. */
import { once } from "node:events";
import { connect } from "node:net";
import { countOption, invalidArgument, ownOptions, refuseUnknown } from "moonpack/bytes";
import type { Dispatcher, Pool } from "undici";
import { TIMEOUT_CODE } from "../measure/errors-by-code.js";
import { isRefusal, refused } from "../run/refusals.js";
import type { Target } from "../target.js";
import { bytesOf, type Codec, codecOption, peer } from "./codec.js";
import { textOption, textsOption } from "./target-options.js";

/** Options of {@link http}. */
export interface HttpTargetOptions {
  /** `{key}` in the path or query is replaced by the key. A user name and a password are sent as `Authorization: Basic`. */
  readonly url: string | URL;
  /** The method of `get`. Default `"GET"`. */
  readonly method?: string;
  /** The body of `get`: text, or bytes. Default: none. */
  readonly body?: string | Uint8Array;
  /** The method of `set`, which sends the value as the body. Default `"PUT"`. */
  readonly setMethod?: string;
  /** Headers of all requests, by their names. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Encodes bodies. By default strings are sent as UTF-8, bytes unchanged, and anything else as JSON. */
  readonly codec?: Codec;
  /** Number of connections. Default: `concurrency`. */
  readonly connections?: number;
  /** Maximum number of pipelined requests on a connection. Default 1. */
  readonly pipelining?: number;
  /** Returns false if an answer with a status of 2xx is wrong. */
  readonly check?: (key: number, answer: HttpAnswer) => boolean;
  /** Default: the URL, without a user name and a password. */
  readonly name?: string;
}

/** The answer to a request. */
export interface HttpAnswer {
  /** The status, 200 to 299. */
  readonly status: number;
  /** The chunks of the body; empty without a `check`. */
  readonly body: readonly Uint8Array[];
}

/**
 * Returns a target for an HTTP server. A status other than 2xx is an error whose code is `HTTP_` and the status. Needs the package
 * `undici`. Throws `ERR_INVALID_ARGUMENT` for invalid or unknown options.
 *
 * @example
 * const result = await load(http({ url: "http://127.0.0.1:3000/items/{key}" }), { concurrency: 50 });
 */
export function http(options: HttpTargetOptions): Target {
  const given = ownOptions(options);
  refuseUnknown(given, OPTIONS);
  const { check, url } = given;
  const method = textOption("method", given.method, "GET");
  const setMethod = textOption("setMethod", given.setMethod, "PUT");
  if (check !== undefined && typeof check !== "function") throw invalidArgument("check must be a function");
  const { body } = given;
  if (body !== undefined && typeof body !== "string" && !(body instanceof Uint8Array))
    throw invalidArgument("body must be a text or a Uint8Array");
  const constantBody = body === undefined ? null : bytesOf(body, undefined);
  const codec = codecOption(given.codec);
  const connections = countOption("connections", given.connections, 0, 1, MAX_CONNECTIONS);
  const pipelining = countOption("pipelining", given.pipelining, 1, 1, MAX_CONNECTIONS);
  const { origin, path, usesKeys, credentials } = parseUrl(url);
  const givenHeaders = textsOption("headers", given.headers);
  const hasOwn = Object.keys(givenHeaders).some((name) => name.toLowerCase() === "authorization");
  const headers = { ...(hasOwn ? {} : credentials), ...givenHeaders };
  let pool: Pool | undefined;
  let timeoutMs = Infinity;
  const request = (key: number, verb: string, body: Uint8Array | null) =>
    new Promise<HttpAnswer>((resolve, reject) => {
      const parts = { path: path(key), method: verb as Dispatcher.HttpMethod, body, headers };
      pool!.dispatch(parts, new AnswerHandler(resolve, reject, check !== undefined, timeoutMs));
    });
  return {
    name: textOption("name", given.name, nameOf(url)),
    usesKeys,
    usesValues: "set",
    operationNames: { get: method, set: setMethod },
    async setup({ concurrency, timeout }) {
      timeoutMs = timeout;
      await probe(origin, nameOf(url), timeoutMs);
      const { Pool } = await peer("undici", () => import("undici"));
      pool = new Pool(origin, { connections: connections || concurrency, pipelining, ...timeouts(timeoutMs) });
    },
    get: (key) => request(key, method, constantBody),
    set: (key, value) => request(key, setMethod, bytesOf(value, codec)),
    check: (key, answer) => check?.(key, answer as HttpAnswer) ?? true,
    async close() {
      await pool?.destroy();
    },
  };
}

const OPTIONS = [
  "url",
  "method",
  "body",
  "setMethod",
  "headers",
  "codec",
  "connections",
  "pipelining",
  "check",
  "name",
];
const MAX_CONNECTIONS = 65_536;

/** Connects once. Throws `ERR_LOAD_REFUSED` if nothing listens, before a run opens many connections. */
async function probe(origin: string, name: string, timeoutMs: number): Promise<void> {
  const { protocol, hostname, port } = new URL(origin);
  const host = hostname.replace(/^\[|\]$/g, ""); // an address of IPv6
  const socket = connect({ host, port: Number(port) || (protocol === "https:" ? 443 : 80), timeout: timeoutMs });
  socket.once("timeout", () => socket.destroy(timedOut(`${name} accepts no connection`)));
  try {
    await once(socket, "connect");
  } catch (error) {
    if (isRefusal(error)) throw refused(name, error);
    throw error;
  } finally {
    socket.destroy();
  }
}

/** Makes undici close a connection whose answer takes too long. Otherwise each timed-out operation would occupy a connection. */
function timeouts(milliseconds: number): Pool.Options {
  return { headersTimeout: milliseconds, bodyTimeout: milliseconds, connect: { timeout: milliseconds } };
}

/** The parts of a URL: the origin, the path and query for a key, and a header for a user name and a password. */
interface UrlParts {
  readonly origin: string;
  readonly path: (key: number) => string;
  readonly usesKeys: boolean;
  readonly credentials: { readonly authorization?: string };
}

/** `{key}`, also percent-encoded. */
const KEY = /\{key\}|%7Bkey%7D/gi;

function parseUrl(url: string | URL): UrlParts {
  const marked = String(url).replace(KEY, MARK);
  if (!URL.canParse(marked)) throw invalidArgument(`${String(url)} is not a URL`);
  const { protocol, origin, pathname, search, username, password } = new URL(marked);
  if (protocol !== "http:" && protocol !== "https:")
    throw invalidArgument(`${String(url)} is not an http: or https: URL`);
  if (origin.includes(MARK)) throw invalidArgument("{key} is allowed only in the path and the query");
  const [first, ...others] = `${pathname}${search}`.split(MARK);
  const path = (key: number) => others.reduce((text, rest) => text + key + rest, first!);
  const usesKeys = others.length > 0;
  if (username === "" && password === "") return { origin, path, usesKeys, credentials: {} };
  const pair = `${unescaped(username)}:${unescaped(password)}`;
  return {
    origin,
    path,
    usesKeys,
    credentials: { authorization: `Basic ${Buffer.from(pair, "utf8").toString("base64")}` },
  };
}

/** Returns the URL for reports: with `{key}`, without user name and password. */
function nameOf(url: string | URL): string {
  return String(url)
    .replace(KEY, "{key}")
    .replace(/^(\w+:\/\/)[^/?#]*@/, "$1");
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    throw invalidArgument("the user name or password in the URL is not percent-encoded correctly", error);
  }
}

const MARK = "moonpack-key";

/** Undici's error codes for timeouts. */
const TIMEOUTS = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT", "UND_ERR_CONNECT_TIMEOUT"]);

/** Maximum bytes of an answer that are kept for `check`. */
const MAX_BYTES = 64 * 2 ** 20;

/** Collects an answer. Aborts it at the timeout: endless bodies would otherwise continue after their operation. */
class AnswerHandler implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: HttpAnswer) => void;
  readonly #reject: (error: Error) => void;
  readonly #body: Uint8Array[] = [];
  readonly #keepsBody: boolean;
  readonly #deadline: number;
  #bytes = 0;
  #status = 0;

  /** `keepsBody`: collects the body for a check. */
  constructor(
    resolve: (answer: HttpAnswer) => void,
    reject: (error: Error) => void,
    keepsBody: boolean,
    timeoutMs: number,
  ) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#keepsBody = keepsBody;
    this.#deadline = performance.now() + timeoutMs;
  }

  onRequestStart(): void {}

  onResponseStart(_controller: unknown, status: number): void {
    this.#status = status;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (performance.now() > this.#deadline) controller.abort(timedOut("the answer took too long"));
    else if (this.#keepsBody && (this.#bytes += chunk.length) > MAX_BYTES) controller.abort(tooLarge());
    else if (this.#keepsBody) this.#body.push(chunk);
  }

  onResponseEnd(): void {
    const status = this.#status;
    if (status >= 200 && status < 300) this.#resolve({ status, body: this.#body });
    else this.#reject(Object.assign(new Error(`the server answered with ${status}`), { code: `HTTP_${status}` }));
  }

  onResponseError(_controller: unknown, error: Error & { readonly code?: string }): void {
    this.#reject(TIMEOUTS.has(error.code ?? "") ? timedOut(error.message, error) : error);
  }
}

function timedOut(message: string, cause?: Error): Error {
  return Object.assign(new Error(message, { cause }), { code: TIMEOUT_CODE });
}

function tooLarge(): Error {
  return Object.assign(new Error(`the answer has more than ${MAX_BYTES} bytes`), { code: "HTTP_TOO_LARGE" });
}
