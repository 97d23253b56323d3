/** Chooses the decoder of a body by its headers. */
import { parse } from "content-type";
import { decode } from "moonpack/msgpack";
import { RequestError } from "../errors.js";
import type { PckFormat } from "../formats/pck-format.js";
import { readJson } from "../json/read.js";
import { isMsgpack, JSON_TYPE, MSGPACK_TYPE, NDJSON_TYPE, PCK_STREAM_TYPE, PCK_TYPE, pckType } from "../media-types.js";
import { shortened } from "../shortened.js";
import type { Incoming } from "./incoming.js";
import { type BodyPicker, pickFrom } from "./picked.js";
import type { Settings } from "./settings.js";

/** A format, and the decoder of one value in it. */
export interface BodyType {
  readonly kind: "msgpack" | "pck" | "json";
  readonly decode: (bytes: Uint8Array) => unknown;
}

/** The longest unsupported type or coding in an error text, in characters. */
const SHOWN_TYPE = 100;

/** Charsets of JSON: UTF-8 and its subsets. */
const UTF8 = new Set(["utf-8", "utf8", "us-ascii", "ascii"]);

/**
 * Returns the format of a body; undefined without a Content-Type. Throws a {@link RequestError} with status 415 for another
 * type, charset or content coding, and for PCK with an unknown fingerprint.
 */
export function bodyType(
  { header }: Incoming,
  settings: Settings,
  pck: PckFormat | undefined,
  isStream: boolean,
  pick?: BodyPicker,
): BodyType | undefined {
  const text = header("content-type");
  if (text === undefined || text === "") return undefined;
  const fail = (code: "ERR_HTTP_TYPE" | "ERR_FINGERPRINT", message: string) =>
    unsupported(code, message, settings, pck, isStream);
  const coding = header("content-encoding")?.trim().toLowerCase() ?? "";
  if (coding !== "" && coding !== "identity")
    throw new RequestError(
      415,
      "ERR_HTTP_TYPE",
      `the content coding ${quoted(coding)} is not supported here; supported is identity`,
      {
        headers: { "accept-encoding": "identity" },
      },
    );
  const { type, parameters } = parse(text);
  if (isMsgpack(type))
    return {
      kind: "msgpack",
      decode: pick === undefined ? msgpackDecoder(settings, pck) : (bytes) => pick.decode(bytes),
    };
  if (pck !== undefined && type === (isStream ? PCK_STREAM_TYPE : PCK_TYPE)) {
    const decoder = pck.decoder(parameters["fingerprint"]?.toLowerCase());
    if (decoder === undefined)
      throw fail("ERR_FINGERPRINT", "the fingerprint is missing, or its schema is not known here");
    return { kind: "pck", decode: decoder };
  }
  if (settings.json && type === (isStream ? NDJSON_TYPE : JSON_TYPE)) {
    const { charset = "utf-8" } = parameters;
    if (!UTF8.has(charset.toLowerCase())) throw fail("ERR_HTTP_TYPE", "JSON is read as UTF-8 only");
    return { kind: "json", decode: pick === undefined ? jsonDecoder(pck) : (bytes) => pickFrom(pick, readJson(bytes)) };
  }
  throw fail("ERR_HTTP_TYPE", `${quoted(type)} is not supported here`);
}

/** True for a body of another type, such as a form, which other parsers read. */
export function isOfOthers({ header }: Incoming, settings: Settings): boolean {
  const text = header("content-type");
  if (text === undefined || text === "") return false;
  const { type } = parse(text);
  return !isMsgpack(type) && type !== PCK_TYPE && type !== PCK_STREAM_TYPE && !(settings.json && isJsonType(type));
}

const isJsonType = (type: string): boolean => type === JSON_TYPE || type === NDJSON_TYPE;

/** Returns a name for an error text. A client chooses its length. */
function quoted(name: string): string {
  return JSON.stringify(shortened(name, SHOWN_TYPE));
}

function msgpackDecoder({ msgpack }: Settings, pck: PckFormat | undefined): (bytes: Uint8Array) => unknown {
  const read = msgpack === undefined ? (bytes: Uint8Array) => decode(bytes) : msgpack.decode;
  return pck === undefined ? read : (bytes) => pck.check(read(bytes));
}

function jsonDecoder(pck: PckFormat | undefined): (bytes: Uint8Array) => unknown {
  if (pck === undefined) return readJson;
  return (bytes) => (pck.fromJSON === undefined ? pck.check(readJson(bytes)) : pck.fromJSON(readJson(bytes)));
}

/** Returns the error for a body of an unsupported type. Its header `Accept` lists the supported ones (RFC 9110, 15.5.16). */
function unsupported(
  code: "ERR_HTTP_TYPE" | "ERR_FINGERPRINT",
  message: string,
  { json }: Settings,
  pck: PckFormat | undefined,
  isStream: boolean,
): RequestError {
  const types = [
    MSGPACK_TYPE,
    ...(pck?.fingerprints ?? []).map((print) => pckType(print, isStream)),
    ...(json ? [isStream ? NDJSON_TYPE : JSON_TYPE] : []),
  ];
  const text = `${message}; supported are ${types.join(", ")}`;
  return new RequestError(415, code, text, { headers: { accept: types.join(", ") } });
}
