import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { type ServerOptions, type WebSocket, WebSocketServer } from "ws";
import type { Connection } from "../connection.js";
import { aborted, invalidArgument, isClosed } from "../errors.js";
import type { Kinds } from "../kinds.js";
import { type ConnectionOptions, readSettings, type Settings } from "../options.js";
import { attachWith, limits } from "./connect.js";
import { socketsOf } from "./own-sockets.js";

/** The options of {@link serve}. */
export interface ServeOptions<K extends Kinds = Kinds> extends ConnectionOptions<K> {
  /** Options of ws's WebSocketServer: `port`, or the `server` of your HTTP server, `path`, `verifyClient` .. */
  readonly ws: ServerOptions;
  /**
   * Called with what a handler threw, unless it is the error or the end of its connection. Default: a warning of the process; what
   * `onError` throws becomes one too.
   */
  readonly onError?: (error: unknown, connection: Connection<K>) => void;
}

/** Handles a connection. When its promise is kept, the connection is closed. */
export type Handler<K extends Kinds> = (connection: Connection<K>, request: IncomingMessage) => Promise<void>;

/** A running server. */
export interface Serving<K extends Kinds> {
  /** The server of ws. */
  readonly server: WebSocketServer;
  /** The open connections. */
  readonly connections: ReadonlySet<Connection<K>>;
  /** Resolves with the address when the server listens; rejects if it cannot, or if it is closed before. */
  readonly listening: Promise<AddressInfo>;
  /**
   * Takes no more connections, closes the open ones with 1001, waits for them, and ends sockets that have not become one. `signal`
   * still ends it at once. An HTTP server of yours stays open.
   */
  close(): Promise<void>;
  /** The same: for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Serves connections. An error in one ends only this one: with the close code 1011 if the handler threw it.
 * Throws `ERR_INVALID_ARGUMENT` for an invalid option.
 *
 * @example
 * const serving = serve({ ws: { port: 8080 } }, async (connection) => {
 *   for await (const { value } of connection) await connection.send(value);
 * });
 */
export function serve<K extends Kinds = Kinds>(options: ServeOptions<K>, handler: Handler<K>): Serving<K> {
  const all = readSettings(options);
  // A copy that inherits nothing.
  const given: ServeOptions<K> = Object.assign(Object.create(null), options);
  const { ws, onError = warn } = given;
  if (typeof ws !== "object" || ws === null) throw invalidArgument("ws must be options of WebSocketServer");
  if (typeof onError !== "function") throw invalidArgument("onError must be a function");
  if (typeof handler !== "function") throw invalidArgument("handler must be a function");
  const server = new WebSocketServer({ ...limits(all), ...ws, maxPayload: all.maxMessageBytes });
  const sockets = socketsOf(server);
  const connections = new Set<Connection<K>>();
  // One listener for all connections.
  const settings: Settings = { ...all, signal: undefined };

  /** Set when the server ends: ends a connection whose handshake completes only afterwards. */
  let endLate: ((connection: Connection<K>) => unknown) | undefined;

  server.on("connection", (socket: WebSocket, request) => {
    void attachWith<K>(socket, settings).then(
      (connection) => (endLate === undefined ? run(connection, request) : endLate(connection)),
      () => {}, // it was closed before it was open
    );
  });

  async function run(connection: Connection<K>, request: IncomingMessage): Promise<void> {
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

  /** Whatever was thrown, and whatever `onError` does with it, the process goes on. */
  async function report(error: unknown, connection: Connection<K>): Promise<void> {
    try {
      await onError(error, connection);
    } catch (second) {
      warn(second);
    }
  }

  const serving: Serving<K> = {
    server,
    connections,
    listening: listening(server),
    async close() {
      const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
      endLate ??= (connection) => connection.closeAs(1001, "");
      await Promise.all([...connections].map((connection) => connection.closeAs(1001, "")));
      sockets.end();
      await stopped;
      all.signal?.removeEventListener("abort", abort);
    },
    [Symbol.asyncDispose]: () => serving.close(),
  };
  function abort(): void {
    server.close();
    endLate = (connection) => connection.abort(aborted(all.signal!));
    for (const connection of connections) endLate(connection);
    sockets.end();
  }
  if (all.signal?.aborted) abort();
  all.signal?.addEventListener("abort", abort, { once: true });
  return serving;
}

function listening(server: WebSocketServer): Promise<AddressInfo> {
  // With a server of the application, this one may listen already, or never: `noServer`.
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
      promise.catch(() => {}); // whoever closes the server need not wait for it
      reject(isClosed());
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
