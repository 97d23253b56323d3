/** Handlers for servers of Node: `http`, `https`, Express and others that take a listener. */
export { DecodeError, EncodeError, MoonpackError } from "moonpack/bytes";
export type { MsgpackOptions } from "../codec.js";
export type { MsgpackHandlerOptions } from "../server/settings.js";
export { type MoonpackHandlerOptions, moonpackHandler } from "./handler.js";
