import { Decoder, Encoder, encode } from "@msgpack/msgpack";
import type { Player } from "../types.js";

/** @msgpack/msgpack with instances that are kept, as its documentation advises for speed. */
export const msgpackJavaScript: Player = {
  id: "msgpack-javascript",
  title: "@msgpack/msgpack",
  package: "@msgpack/msgpack",
  format: "msgpack",
  ours: false,
  note: "`Encoder` and `Decoder` kept between messages.",
  create: () => {
    const encoder = new Encoder();
    const decoder = new Decoder();
    return { encode: (value) => encoder.encode(value), decode: (payload) => decoder.decode(payload as Uint8Array) };
  },
};

/** Its `encode` function, which most of its users call: other memory than the kept instance's. */
export const msgpackJavaScriptFunction: Player = {
  id: "msgpack-javascript-function",
  title: "@msgpack/msgpack `encode()`",
  package: "@msgpack/msgpack",
  format: "msgpack",
  ours: false,
  create: () => ({ encode: (value) => encode(value) }),
};
