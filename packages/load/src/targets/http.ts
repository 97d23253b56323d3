/** A server that speaks HTTP/1.1, by undici. */
import { once } from "node:events";
import { connect } from "node:net";
import { countOption, invalidArgument, ownOptions } from "moonpack/bytes";
import type { Dispatcher, Pool } from "undici";
import { TIMEOUT_CODE } from "../measure/errors-by-code.js";
import { isRefusal, refused } from "../run/refusals.js";
import type { Target } from "../target.js";
import { bytesOf, type Codec, codecOption, peer } from "./codec.js";

/** Options of {@link http}. */
export interface HttpTargetOptions {
  /** `{key}` in its path or query stands for the key. A user name and a password in it are sent as `Authorization: Basic`. */
  readonly url: string | URL;
  /** The method of `get`. Default `"GET"`. */
  readonly method?: string;
  /** The method of `set`, which sends the value as body. Default `"PUT"`. */
  readonly setMethod?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Encodes bodies. By default texts are sent as UTF-8, bytes as they are and anything else as JSON. */
  readonly codec?: Codec;
  /** Connections. Default: as many as operations in flight. */
  readonly connections?: number;
  /** Requests on a connection that wait for answers. Default 1. */
  readonly pipelining?: number;
  /** False if an answer with a good status is wrong. */
  readonly check?: (key: number, answer: HttpAnswer) => boolean;
  /** Default: the URL, without a user name and a password. */
  readonly name?: string;
}

/** An answer to a request. */
export interface HttpAnswer {
  readonly status: number;
  /** The parts of the body, as they arrived; none without a `check`. */
  readonly body: readonly Uint8Array[];
}

/**
 * A target for an HTTP server. A status other than 2xx is an error with the code `HTTP_` and the status. Needs the package `undici`.
 *
 * @example
 * const result = await load(http({ url: "http://127.0.0.1:3000/items/{key}" }), { concurrency: 50 });
 */
export function http(options: HttpTargetOptions): Target {
  const given = ownOptions(options);
  const { method = "GET", setMethod = "PUT", check, url } = given;
  const codec = codecOption(given.codec);
  const connections = countOption("connections", given.connections, 0, 1, MOST_CONNECTIONS);
  const pipelining = countOption("pipelining", given.pipelining, 1, 1, MOST_CONNECTIONS);
  const { origin, path, credentials } = placeOf(url);
  const hasOwn = Object.keys(given.headers ?? {}).some((name) => name.toLowerCase() === "authorization");
  const headers = { ...(hasOwn ? {} : credentials), ...given.headers };
  let pool: Pool | undefined;
  let timeout = Infinity;
  const request = (key: number, verb: string, body: Uint8Array | null) =>
    new Promise<HttpAnswer>((resolve, reject) => {
      const parts = { path: path(key), method: verb as Dispatcher.HttpMethod, body, headers };
      pool!.dispatch(parts, new Answering(resolve, reject, check !== undefined, timeout));
    });
  return {
    name: given.name ?? nameOf(url),
    async setup({ concurrency, timeoutMs }) {
      timeout = timeoutMs;
      await probe(origin, nameOf(url), timeoutMs);
      const { Pool } = await peer("undici", () => import("undici"));
      pool = new Pool(origin, { connections: connections || concurrency, pipelining, ...timeouts(timeoutMs) });
    },
    get: (key) => request(key, method, null),
    set: (key, value) => request(key, setMethod, bytesOf(value, codec)),
    check: (key, answer) => check?.(key, answer as HttpAnswer) ?? true,
    async close() {
      await pool?.destroy();
    },
  };
}

const MOST_CONNECTIONS = 65_536;

/** Connects once. `ERR_LOAD_REFUSED` if nothing listens: a run would shoot connections at the port. */
async function probe(origin: string, name: string, timeoutMs: number): Promise<void> {
  const { protocol, hostname, port } = new URL(origin);
  const host = hostname.replace(/^\[|\]$/g, ""); // an address of IPv6
  const socket = connect({ host, port: Number(port) || (protocol === "https:" ? 443 : 80), timeout: timeoutMs });
  try {
    await once(socket, "connect");
  } catch (error) {
    if (isRefusal(error)) throw refused(name, error);
    throw error;
  } finally {
    socket.destroy();
  }
}

/** Undici closes a connection whose answer takes too long. Otherwise each operation that was given up would take one with it. */
function timeouts(milliseconds: number): Pool.Options {
  return { headersTimeout: milliseconds, bodyTimeout: milliseconds, connect: { timeout: milliseconds } };
}

/** What a URL says: the origin, the path and query for a key, and a header for a user name and a password. */
interface Place {
  readonly origin: string;
  readonly path: (key: number) => string;
  readonly credentials: { readonly authorization?: string };
}

/** `{key}`, also as a URL escapes it. */
const KEY = /\{key\}|%7Bkey%7D/gi;

function placeOf(url: string | URL): Place {
  const marked = String(url).replace(KEY, MARK);
  if (!URL.canParse(marked)) throw invalidArgument(`${String(url)} is not a URL`);
  const { protocol, origin, pathname, search, username, password } = new URL(marked);
  if (protocol !== "http:" && protocol !== "https:")
    throw invalidArgument(`${String(url)} is not a URL of http or https`);
  if (origin.includes(MARK)) throw invalidArgument("{key} can only be in the path or the query");
  const [first, ...others] = `${pathname}${search}`.split(MARK);
  const path = (key: number) => others.reduce((text, rest) => text + key + rest, first!);
  if (username === "" && password === "") return { origin, path, credentials: {} };
  const pair = `${unescaped(username)}:${unescaped(password)}`;
  return { origin, path, credentials: { authorization: `Basic ${Buffer.from(pair, "utf8").toString("base64")}` } };
}

/** The URL as a reader knows it: braces as such, and no password. */
function nameOf(url: string | URL): string {
  return String(url)
    .replace(KEY, "{key}")
    .replace(/^(\w+:\/\/)[^/?#]*@/, "$1");
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    throw invalidArgument("the URL has a user name or a password that is not escaped as in a URL", error);
  }
}

const MARK = "moonpack-key";

/** What undici calls an operation that takes too long. */
const TIMEOUTS = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT", "UND_ERR_CONNECT_TIMEOUT"]);

/** The most bytes of an answer that are kept for `check`. */
const MOST_BYTES = 64 * 2 ** 20;

/** Collects an answer, or ends it: bodies without an end would arrive long after their operation was given up. */
class Answering implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: HttpAnswer) => void;
  readonly #reject: (error: Error) => void;
  readonly #body: Uint8Array[] = [];
  readonly #keeps: boolean;
  readonly #end: number;
  #bytes = 0;
  #status = 0;

  /** `keeps`: the body is kept, for a check. */
  constructor(
    resolve: (answer: HttpAnswer) => void,
    reject: (error: Error) => void,
    keeps: boolean,
    timeoutMs: number,
  ) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#keeps = keeps;
    this.#end = performance.now() + timeoutMs;
  }

  onRequestStart(): void {}

  onResponseStart(_controller: unknown, status: number): void {
    this.#status = status;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (performance.now() > this.#end) controller.abort(late("the answer took too long"));
    else if (this.#keeps && (this.#bytes += chunk.length) > MOST_BYTES) controller.abort(tooLarge());
    else if (this.#keeps) this.#body.push(chunk);
  }

  onResponseEnd(): void {
    const status = this.#status;
    if (status >= 200 && status < 300) this.#resolve({ status, body: this.#body });
    else this.#reject(Object.assign(new Error(`the server answered with ${status}`), { code: `HTTP_${status}` }));
  }

  onResponseError(_controller: unknown, error: Error & { readonly code?: string }): void {
    this.#reject(TIMEOUTS.has(error.code ?? "") ? late(error.message, error) : error);
  }
}

function late(message: string, cause?: Error): Error {
  return Object.assign(new Error(message, { cause }), { code: TIMEOUT_CODE });
}

function tooLarge(): Error {
  return Object.assign(new Error(`an answer of more than ${MOST_BYTES} bytes`), { code: "HTTP_TOO_LARGE" });
}
