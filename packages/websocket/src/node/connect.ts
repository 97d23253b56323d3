import { invalidArgument, ownOptions } from "moonpack/bytes";
import { type ClientOptions, WebSocket } from "ws";
import { Connection } from "../connection.js";
import { MAX_ANSWERS } from "../flow.js";
import type { Kinds } from "../kinds.js";
import { type ConnectionOptions, readSettings, type Settings } from "../options.js";
import { WsWire } from "./ws-wire.js";

/** The options of {@link connect} with ws. */
export interface ConnectOptions<K extends Kinds = Kinds> extends ConnectionOptions<K> {
  /** The protocols that the server may choose from. */
  readonly protocols?: readonly string[];
  /** Options of ws: headers, TLS, agent .. */
  readonly ws?: ClientOptions;
}

/**
 * Makes a connection. Rejects with a `WebSocketError` whose `cause` is the error of ws, with `ERR_WEBSOCKET_TIMEOUT` after
 * `openWithinMs`, or with `ERR_ABORTED`.
 *
 * @example
 * await using connection = await connect("ws://127.0.0.1:8080", { ws: { headers: { authorization } } });
 */
export async function connect<K extends Kinds = Kinds>(
  url: string | URL,
  options?: ConnectOptions<K>,
): Promise<Connection<K>> {
  const settings = readSettings(options);
  const given = ownOptions(options);
  const { protocols = [], ws } = given;
  const socket = new WebSocket(url, [...protocols], {
    perMessageDeflate: false,
    ...limits(settings),
    ...ws,
    maxPayload: settings.maxMessageBytes,
  });
  return attachWith(socket, settings);
}

/**
 * Takes a WebSocket of ws and resolves when it is open. Call it in the server's event `connection`, before anything is awaited: a
 * message that comes earlier is lost. The socket belongs to the connection from then on. Set `maxPayload` of your WebSocketServer:
 * `maxMessageBytes` is checked when a message is whole.
 *
 * @example
 * server.on("connection", async (socket) => {
 *   await using connection = await attach(socket);
 *   for await (const { value } of connection) await connection.send(value);
 * });
 */
export async function attach<K extends Kinds = Kinds>(
  socket: WebSocket,
  options?: ConnectionOptions<K>,
): Promise<Connection<K>> {
  if (typeof socket?.terminate !== "function") throw invalidArgument("socket must be a WebSocket of ws");
  if (socket.readyState > 1) throw invalidArgument("socket is closed");
  return attachWith(socket, readSettings(options));
}

/** Options of ws: the time that a peer has after the close messages, and how many answers to its pings may wait. */
export function limits(settings: Settings): { readonly closeTimeout: number; readonly maxPendingAutoPongs: number } {
  return { closeTimeout: settings.closeWithinMs, maxPendingAutoPongs: MAX_ANSWERS };
}

/** The same with settings that many connections share. */
export function attachWith<K extends Kinds>(socket: WebSocket, settings: Settings): Promise<Connection<K>> {
  return new Connection<K>(settings, (events) => new WsWire(socket, events)).opened();
}
