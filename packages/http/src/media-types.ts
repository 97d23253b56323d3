/** The media types of bodies. */

/** MessagePack, as registered at IANA. A stream has the same type: its messages follow each other. */
export const MSGPACK_TYPE = "application/vnd.msgpack";
/** Older names of MessagePack: also accepted, and sent to clients that name them. */
export const MSGPACK_ALIASES: readonly string[] = ["application/x-msgpack", "application/msgpack"];
/** PCK: one message. The parameter `fingerprint` names its schema. */
export const PCK_TYPE = "application/vnd.moonpack.pck";
/** A stream of PCK messages, each prefixed with its length, as in `moonpack/stream`. */
export const PCK_STREAM_TYPE = "application/vnd.moonpack.pck-stream";
/** JSON. */
export const JSON_TYPE = "application/json";
/** A stream of values as JSON: a line for each. */
export const NDJSON_TYPE = "application/x-ndjson";
/** An error as JSON (RFC 9457). */
export const PROBLEM_TYPE = "application/problem+json";

/** True for MessagePack by any of its names. */
export function isMsgpack(essence: string): boolean {
  return /^application\/(vnd\.|x-)?msgpack$/.test(essence);
}

/** Returns the media type of PCK with a fingerprint, for Content-Type and Accept. */
export function pckType(fingerprint: string, isStream: boolean): string {
  return `${isStream ? PCK_STREAM_TYPE : PCK_TYPE}; fingerprint=${fingerprint}`;
}
