export { type DecodedAt, Decoder, decode, decodeAt, decodeMulti } from "./msgpack/index.js";
