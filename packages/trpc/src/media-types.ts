/** The media types of MessagePack. */

/** The type that IANA has registered. */
export const MSGPACK_TYPE = "application/vnd.msgpack";

/** Returns true for a Content-Type of MessagePack, by any of its names. */
export function isMsgpack(contentType: string): boolean {
  return /^\s*application\/(vnd\.|x-)?msgpack\s*(;|$)/i.test(contentType);
}

/** Returns true for an Accept header that names MessagePack. `*` does not: other clients of tRPC send it, and expect JSON. */
export function acceptsMsgpack(accept: string): boolean {
  return accept.split(",").some((range) => isMsgpack(range) && !/;\s*q\s*=\s*0(\.0*)?\s*$/i.test(range));
}
