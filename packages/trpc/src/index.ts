/** tRPC in MessagePack: the transformer. The link and the handlers have separate entries. */
export { DecodeError, EncodeError, MoonpackError } from "moonpack/bytes";
export type { MsgpackOptions } from "./codec.js";
export { type MsgpackTransformer, msgpackTransformer } from "./transformer.js";
