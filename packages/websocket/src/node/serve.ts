import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { invalidArgument } from "moonpack/bytes";
import { type ServerOptions, type WebSocket, WebSocketServer } from "ws";
import type { Kinds } from "../codecs.js";
import type { Connection } from "../connection.js";
import { abortedError, closedError } from "../errors.js";
import { type ConnectionOptions, copyOptions, type Settings, settingsOf } from "../options.js";
import { attachWith, wsOptions } from "./connect.js";
import { HttpServer } from "./http-server.js";

/** The options of {@link serve}. */
export interface ServeOptions<K extends Kinds = Kinds, V = unknown> extends ConnectionOptions<K, V> {
  /**
   * Options of ws's WebSocketServer: `port`, or `server` for your HTTP server, or `noServer`; `path`, `verifyClient` .. All but
   * `maxPayload`, which is `maxMessageBytes`.
   */
  readonly ws: ServerOptions;
  /**
   * Called with the error that a handler threw, unless it is the error or the end of its connection. Default: a process warning. An error
   * that `onError` throws becomes a warning, too.
   */
  readonly onError?: (error: unknown, connection: Connection<K, V>) => void;
}

/** Handles a connection. When its promise settles, the connection is closed. */
export type Handler<K extends Kinds, V = unknown> = (
  connection: Connection<K, V>,
  request: IncomingMessage,
) => Promise<void>;

/** A running server. */
export interface Serving<K extends Kinds, V = unknown> {
  /** The server of ws. */
  readonly server: WebSocketServer;
  /** The open connections. */
  readonly connections: ReadonlySet<Connection<K, V>>;
  /** Resolves with the address when the server listens. Rejects if it cannot, or if it is closed before. */
  readonly listening: Promise<AddressInfo>;
  /**
   * Accepts no more connections, closes the open ones with 1001, waits for them, and ends sockets without a WebSocket. `signal` still ends
   * it immediately. Your own HTTP server stays open.
   */
  close(): Promise<void>;
  /** Calls `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Serves connections. An error ends only its own connection, with the close code 1011 if the handler threw it.
 * Throws `ERR_INVALID_ARGUMENT` for an invalid or unknown option.
 *
 * @example
 * const serving = serve({ ws: { port: 8080 } }, async (connection) => {
 *   for await (const { value } of connection) await connection.send(value);
 * });
 */
export function serve<K extends Kinds = Kinds, V = unknown>(
  options: ServeOptions<K, V>,
  handler: Handler<K, V>,
): Serving<K, V> {
  const given = copyOptions(options, ["ws", "onError"]);
  const all = settingsOf(given);
  const { onError = warn } = given;
  if (typeof onError !== "function") throw invalidArgument("onError must be a function");
  if (typeof handler !== "function") throw invalidArgument("handler must be a function");
  const { server, http } = listen(wsOptions(given.ws, all));
  const connections = new Set<Connection<K, V>>();
  // One listener for all connections.
  const settings: Settings = { ...all, signal: undefined };

  /** Set when the server ends. Ends a connection whose handshake completes afterwards. */
  let endLate: ((connection: Connection<K, V>) => unknown) | undefined;

  server.on("connection", (socket: WebSocket, request) => {
    void attachWith<K, V>(socket, settings).then(
      (connection) => (endLate === undefined ? run(connection, request) : endLate(connection)),
      () => {}, // closed before it was open
    );
  });

  async function run(connection: Connection<K, V>, request: IncomingMessage): Promise<void> {
    connections.add(connection);
    void connection.closed.then(() => connections.delete(connection));
    try {
      await handler(connection, request);
      await connection.closeAs(1000, "");
    } catch (error) {
      void connection.closeAs(1011, "");
      if (!connection.isEndedBy(error)) await report(error, connection);
    }
  }

  /** Reports a handler's error. Neither the error nor `onError` ends the process. */
  async function report(error: unknown, connection: Connection<K, V>): Promise<void> {
    try {
      await onError(error, connection);
    } catch (second) {
      warn(second);
    }
  }

  const serving: Serving<K, V> = {
    server,
    connections,
    listening: listening(server),
    async close() {
      const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
      http?.stop();
      endLate ??= (connection) => connection.closeAs(1001, "");
      await Promise.all([...connections].map((connection) => connection.closeAs(1001, "")));
      http?.destroySockets();
      await stopped;
      await http?.closed;
      all.signal?.removeEventListener("abort", abort);
    },
    [Symbol.asyncDispose]: () => serving.close(),
  };
  function abort(): void {
    server.close();
    http?.stop();
    endLate = (connection) => connection.abort(abortedError(all.signal!));
    for (const connection of connections) endLate(connection);
    http?.destroySockets();
  }
  if (all.signal?.aborted) abort();
  all.signal?.addEventListener("abort", abort, { once: true });
  return serving;
}

/** Makes the server of ws, and the HTTP server for `port`. Throws `ERR_INVALID_ARGUMENT` unless exactly one kind of server is given. */
function listen(options: ServerOptions): { readonly server: WebSocketServer; readonly http: HttpServer | undefined } {
  const { port, host, backlog, ...others } = options;
  const hasPort = (port ?? null) !== null;
  if (Number(hasPort) + Number(Boolean(options.server)) + Number(Boolean(options.noServer)) !== 1)
    throw invalidArgument("ws must be options of WebSocketServer with one of port, server and noServer");
  if (!hasPort) return { server: new WebSocketServer(others), http: undefined };
  const http = new HttpServer();
  const server = new WebSocketServer({ ...others, server: http.server });
  // For callers of `server.close` of ws.
  server.once("close", () => http.stop());
  http.server.listen(port, host, backlog);
  return { server, http };
}

function listening(server: WebSocketServer): Promise<AddressInfo> {
  // A server of the application may listen already. With `noServer` there is none.
  const address = (): AddressInfo | null => (server.options.noServer ? null : (server.address() as AddressInfo | null));
  const promise = new Promise<AddressInfo>((resolve, reject) => {
    const found = address();
    if (found !== null) return resolve(found);
    server.once("listening", () => {
      server.off("error", reject);
      resolve(address() as AddressInfo);
    });
    server.once("error", reject);
    server.once("close", () => {
      promise.catch(() => {}); // the caller of close need not wait for it
      reject(closedError());
    });
  });
  return promise;
}

function warn(error: unknown): void {
  let warning: Error | string = "a handler threw a value that has no text";
  try {
    const text = String(error);
    warning = error instanceof Error ? error : text;
  } catch {}
  process.emitWarning(warning);
}
