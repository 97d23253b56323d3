/** The media types of MessagePack. */

/** As registered at IANA. */
export const MSGPACK_TYPE = "application/vnd.msgpack";

/** Is it the Content-Type of MessagePack, by any of its names? */
export function isMsgpack(contentType: string): boolean {
  return /^\s*application\/(vnd\.|x-)?msgpack\s*(;|$)/i.test(contentType);
}

/** Does a header Accept name MessagePack? `*` does not: other clients of tRPC send it, and expect JSON. */
export function acceptsMsgpack(accept: string): boolean {
  return accept.split(",").some((range) => isMsgpack(range) && !/;\s*q\s*=\s*0(\.0*)?\s*$/i.test(range));
}
