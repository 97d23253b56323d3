/** tRPC in MessagePack: the transformer. The link and the handlers have entries of their own. */
export { DecodeError, EncodeError, MoonpackError } from "moonpack/bytes";
export type { MsgpackOptions } from "./codec.js";
export { type MsgpackTransformer, msgpackTransformer } from "./transformer.js";
