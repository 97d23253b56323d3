/**
 * Messages over WebSockets of the package ws: servers and clients in Node.
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
export { attach, type ConnectOptions, connect } from "./connect.js";
export { type Handler, type ServeOptions, type Serving, serve } from "./serve.js";
