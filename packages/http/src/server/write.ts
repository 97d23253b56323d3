/** Encodes the bodies of answers, whatever the framework. */
import { EncodeError } from "moonpack/bytes";
import { encode } from "moonpack/msgpack";
import { RequestError } from "../errors.js";
import type { PckFormat } from "../formats/pck-format.js";
import { writeJson } from "../json/write.js";
import { accepted } from "./negotiate.js";
import { checkSendOptions, type SendOptions, type Settings } from "./settings.js";

/** A body, and its Content-Type. */
export interface EncodedBody {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Encodes a value in the format that the client prefers. A value that JSON cannot hold is encoded in the next format that the client
 * accepts. Throws a {@link RequestError} with status 406 if there is none, and the `EncodeError` of other formats.
 */
export function encodeBody<In>(
  accept: string | undefined,
  value: In,
  settings: Settings,
  options: SendOptions<In> | undefined,
): EncodedBody {
  const { pck } = checkSendOptions(options);
  let refusal: EncodeError | null = null;
  for (const { kind, type } of accepted(accept, settings, pck, false)) {
    if (kind === "pck") return { type, bytes: pck!.encode(value) };
    if (kind === "msgpack")
      return { type, bytes: settings.msgpack === undefined ? encode(value) : settings.msgpack.encode(value) };
    try {
      return { type, bytes: jsonBytes(value, pck) };
    } catch (error) {
      if (!(error instanceof EncodeError) || error.code === "ERR_USER_CODE") throw error;
      refusal = error;
    }
  }
  throw notJson(refusal!);
}

/** Returns a value as JSON: with a schema, its JSON form. Throws an `EncodeError` for a value that JSON cannot hold. */
export function jsonBytes<In>(value: In, pck: PckFormat<unknown, In> | undefined): Uint8Array<ArrayBuffer> {
  const json = pck?.toJSON === undefined ? value : pck.toJSON(value);
  return new TextEncoder().encode(writeJson(json));
}

/** Returns the error for a client that accepts only JSON, and a value that JSON cannot hold. */
function notJson(error: EncodeError): RequestError {
  const message = `JSON cannot hold the answer: ${error.message}`;
  return new RequestError(406, error.code, message, { path: error.path, cause: error });
}
