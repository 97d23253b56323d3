/**
 * A parser for socket.io: packets as MessagePack. The module itself is a parser; {@link createParser} makes one with options.
 *
 * @module
 */
export type { BytesInput } from "moonpack/bytes";
export type { DecoderEvents, NoEvents } from "./decoder.js";
export { Decoder } from "./decoder.js";
export { Encoder } from "./encoder.js";
export { SOCKET_IO_ERROR_CODES } from "./errors.js";
export type { EventCodec, EventSchemas } from "./events.js";
export { NotepackValue, notepackExtension } from "./notepack.js";
export type { ParserOptions } from "./options.js";
export type { Packet } from "./packet.js";
export { PacketType, protocol } from "./packet.js";
export type { Parser } from "./parser.js";
export { createParser } from "./parser.js";
