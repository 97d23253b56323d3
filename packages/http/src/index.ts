/**
 * MessagePack and PCK as bodies of HTTP, for servers that take a Request and return a Response; formats, errors and options of all
 * entries.
 *
 * @module
 */
export {
  HTTP_ERROR_CODES,
  type HttpErrorCode,
  type Problem,
  RequestError,
  type RequestErrorDetails,
  type RequestStatus,
} from "./errors.js";
export { type MsgpackFormat, type MsgpackOptions, msgpack } from "./formats/msgpack.js";
export { type PckOptions, pck } from "./formats/pck.js";
export { type PckFormat, type PckMessages, pckOf } from "./formats/pck-format.js";
export type { BodyPicker } from "./server/picked.js";
export type {
  BodiesOptions,
  ReadOptions,
  ReadValueOptions,
  SendOptions,
  SendStreamOptions,
} from "./server/settings.js";
export type { ValuesToSend } from "./server/write-stream.js";
export type { Values } from "./streams/encode.js";
export { bodies, type WebBodies } from "./web.js";
