import { invalidArgument, own, ownOptions } from "moonpack/bytes";
import { type ClientOptions, type ServerOptions, WebSocket } from "ws";
import { MAX_UNSENT_PONGS } from "../backpressure.js";
import type { Kinds } from "../codecs.js";
import { Connection } from "../connection.js";
import { type ConnectionOptions, copyOptions, protocolsOf, type Settings, settingsOf } from "../options.js";
import { opened } from "../transport-errors.js";
import { WsTransport } from "./ws-transport.js";

/** The options of {@link connect} with ws. */
export interface ConnectOptions<K extends Kinds = Kinds, V = unknown> extends ConnectionOptions<K, V> {
  /** Subprotocols for the server to choose from. */
  readonly protocols?: readonly string[];
  /** Options of ws: headers, TLS, agent .. All but `maxPayload`, which is `maxMessageBytes`. */
  readonly ws?: ClientOptions;
}

/**
 * Opens a connection. Rejects with a `WebSocketError` whose `cause` is the error of ws, with `ERR_WEBSOCKET_TIMEOUT` after `openTimeout`,
 * with `ERR_ABORTED`, or with `ERR_INVALID_ARGUMENT` for an invalid URL, or an invalid or unknown option.
 *
 * @example
 * await using connection = await connect("ws://127.0.0.1:8080", { ws: { headers: { authorization } } });
 */
export async function connect<K extends Kinds = Kinds, V = unknown>(
  url: string | URL,
  options?: ConnectOptions<K, V>,
): Promise<Connection<K, V>> {
  const given = copyOptions(options, ["protocols", "ws"]);
  const settings = settingsOf(given);
  const protocols = protocolsOf(given.protocols);
  const ws = { perMessageDeflate: false, ...wsOptions(given.ws, settings) };
  const socket = opened(url, () => new WebSocket(url, protocols, ws));
  return attachWith(socket, settings);
}

/**
 * Takes over a WebSocket of ws and resolves when it is open. Call it in the server's event `connection`, before any `await`: earlier
 * messages are lost. The socket then belongs to the connection. Set `maxPayload` of your WebSocketServer: `maxMessageBytes` is checked
 * when a message is complete. Rejects as {@link connect}.
 *
 * @example
 * server.on("connection", async (socket) => {
 *   await using connection = await attach(socket);
 *   for await (const { value } of connection) await connection.send(value);
 * });
 */
export async function attach<K extends Kinds = Kinds, V = unknown>(
  socket: WebSocket,
  options?: ConnectionOptions<K, V>,
): Promise<Connection<K, V>> {
  if (typeof socket?.terminate !== "function") throw invalidArgument("socket must be a WebSocket of ws");
  if (socket.readyState > 1) throw invalidArgument("socket is closed");
  return attachWith(socket, settingsOf(copyOptions(options)));
}

/**
 * Returns options for ws: the caller's, and limits from `settings`. Throws `ERR_INVALID_ARGUMENT` for an option that `settings` determines.
 */
export function wsOptions<O extends ClientOptions | ServerOptions>(options: O | undefined, settings: Settings): O {
  const given = ownOptions(options, "ws");
  if (given.maxPayload !== undefined) throw invalidArgument("ws.maxPayload cannot be set: use maxMessageBytes");
  return own({
    // How long ws waits after the close messages, and how many answers to the peer's pings it queues.
    closeTimeout: settings.closeTimeoutMs,
    maxPendingAutoPongs: MAX_UNSENT_PONGS,
    ...given,
    maxPayload: settings.maxMessageBytes,
  });
}

/** Takes over a WebSocket with settings that connections share. */
export function attachWith<K extends Kinds, V>(socket: WebSocket, settings: Settings): Promise<Connection<K, V>> {
  return new Connection<K, V>(settings, (events) => new WsTransport(socket, events)).waitUntilOpen();
}
