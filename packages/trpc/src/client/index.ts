/** The link for clients: pages and programs. */
export { DecodeError, EncodeError, MoonpackError } from "moonpack/bytes";
export type { MsgpackOptions } from "../codec.js";
export { type MoonpackLinkOptions, moonpackLink, type WithTransformer } from "./link.js";
