import { invalidArgument } from "moonpack/bytes";
import { Connection } from "../connection.js";
import type { Kinds } from "../kinds.js";
import { type ConnectionOptions, readSettings } from "../options.js";
import { InterfaceWire, type WebSocketLike } from "./interface-wire.js";

/** The options of {@link connect} for anything with the interface of WebSocket. */
export interface ConnectOptions<K extends Kinds = Kinds> extends ConnectionOptions<K> {
  /** The protocols that the server may choose from. */
  readonly protocols?: readonly string[];
}

/**
 * Makes a connection with the runtime's own WebSocket. Rejects with a `WebSocketError`, with `ERR_WEBSOCKET_TIMEOUT` after
 * `openWithinMs`, or with `ERR_ABORTED`.
 *
 * @example
 * await using connection = await connect("wss://example.com/live");
 */
export async function connect<K extends Kinds = Kinds>(
  url: string | URL,
  options?: ConnectOptions<K>,
): Promise<Connection<K>> {
  const protocols = options !== undefined && Object.hasOwn(options, "protocols") ? options.protocols : undefined;
  const settings = readSettings(options);
  const socket = new WebSocket(url, protocols === undefined ? [] : [...protocols]);
  return new Connection<K>(settings, (events) => new InterfaceWire(socket, events)).opened();
}

/**
 * Takes a WebSocket and resolves when it is open: one of Deno's or Bun's server, or one that was made with options of its own. Call
 * it before the socket's first message can come. The socket belongs to the connection from then on. Rejects as {@link connect}.
 *
 * @example
 * const { socket, response } = Deno.upgradeWebSocket(request);
 * void attach(socket).then(serve);
 */
export async function attach<K extends Kinds = Kinds>(
  socket: WebSocketLike,
  options?: ConnectionOptions<K>,
): Promise<Connection<K>> {
  if (typeof socket?.addEventListener !== "function") throw invalidArgument("socket must be a WebSocket");
  if (socket.readyState > 1) throw invalidArgument("socket is closed");
  return new Connection<K>(readSettings(options), (events) => new InterfaceWire(socket, events)).opened();
}
