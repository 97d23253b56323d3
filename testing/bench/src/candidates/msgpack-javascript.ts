import { Decoder, Encoder, encode } from "@msgpack/msgpack";
import type { Candidate } from "../types.js";

/** @msgpack/msgpack with kept instances, as its documentation recommends for speed. */
export const msgpackJavaScript: Candidate = {
  id: "msgpack-javascript",
  title: "@msgpack/msgpack",
  package: "@msgpack/msgpack",
  format: "msgpack",
  ours: false,
  note: "`Encoder` and `Decoder` are kept between messages.",
  create: () => {
    const encoder = new Encoder();
    const decoder = new Decoder();
    return { encode: (value) => encoder.encode(value), decode: (payload) => decoder.decode(payload as Uint8Array) };
  },
};

/** `encode`, the function that most users call. It allocates differently than a kept instance. */
export const msgpackJavaScriptFunction: Candidate = {
  id: "msgpack-javascript-function",
  title: "@msgpack/msgpack `encode()`",
  package: "@msgpack/msgpack",
  format: "msgpack",
  ours: false,
  create: () => ({ encode: (value) => encode(value) }),
};
