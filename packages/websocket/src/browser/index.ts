/**
 * Messages over the WebSocket of a page, a worker, Deno, Bun or Node 22.
 *
 * @module
 */
export { MoonpackError } from "moonpack/bytes";
export type { Kinds, Message, MessageCodec, ValueOf } from "../codecs.js";
export type { Connection } from "../connection.js";
export { type Closed, WEBSOCKET_ERROR_CODES, WebSocketError } from "../errors.js";
export { framed } from "../framed.js";
export { encodeKind } from "../messages.js";
export type { ConnectionOptions } from "../options.js";
export type { WebSocketLike } from "./browser-transport.js";
export { attach, type ConnectOptions, connect } from "./connect.js";
