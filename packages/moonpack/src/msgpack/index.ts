export { type DecodedAt, Decoder, decode, decodeAt, decodeMulti } from "./decoder.js";
