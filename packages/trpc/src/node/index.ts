/** A handler for Node: `http`, `https`, Express and other servers with request listeners. */
export { DecodeError, EncodeError, MoonpackError } from "moonpack/bytes";
export type { MsgpackOptions } from "../codec.js";
export type { MsgpackHandlerOptions } from "../server/settings.js";
export { type MoonpackHandlerOptions, moonpackHandler } from "./handler.js";
