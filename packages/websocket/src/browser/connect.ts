import { invalidArgument } from "moonpack/bytes";
import type { Kinds } from "../codecs.js";
import { Connection } from "../connection.js";
import { type ConnectionOptions, copyOptions, protocolsOf, settingsOf } from "../options.js";
import { opened } from "../transport-errors.js";
import { BrowserTransport, type WebSocketLike } from "./browser-transport.js";

/** The options of {@link connect} for the runtime's WebSocket. */
export interface ConnectOptions<K extends Kinds = Kinds, V = unknown> extends ConnectionOptions<K, V> {
  /** Subprotocols for the server to choose from. */
  readonly protocols?: readonly string[];
}

/**
 * Opens a connection with the runtime's WebSocket. Rejects with a `WebSocketError`, with `ERR_WEBSOCKET_TIMEOUT` after `openTimeout`, with
 * `ERR_ABORTED`, or with `ERR_INVALID_ARGUMENT` for an invalid URL, or an invalid or unknown option.
 *
 * @example
 * await using connection = await connect("wss://example.com/live");
 */
export async function connect<K extends Kinds = Kinds, V = unknown>(
  url: string | URL,
  options?: ConnectOptions<K, V>,
): Promise<Connection<K, V>> {
  const given = copyOptions(options, ["protocols"]);
  const settings = settingsOf(given);
  const protocols = protocolsOf(given.protocols);
  const socket = opened(url, () => new WebSocket(url, protocols));
  return new Connection<K, V>(settings, (events) => new BrowserTransport(socket, events)).waitUntilOpen();
}

/**
 * Takes over a WebSocket and resolves when it is open: a socket of Deno's or Bun's server, or one that you made. Call it before the first
 * message can arrive. The socket then belongs to the connection. Rejects as {@link connect}.
 *
 * @example
 * const { socket, response } = Deno.upgradeWebSocket(request);
 * void attach(socket).then(serve);
 */
export async function attach<K extends Kinds = Kinds, V = unknown>(
  socket: WebSocketLike,
  options?: ConnectionOptions<K, V>,
): Promise<Connection<K, V>> {
  if (typeof socket?.addEventListener !== "function") throw invalidArgument("socket must be a WebSocket");
  if (socket.readyState > 1) throw invalidArgument("socket is closed");
  const settings = settingsOf(copyOptions(options));
  return new Connection<K, V>(settings, (events) => new BrowserTransport(socket, events)).waitUntilOpen();
}
