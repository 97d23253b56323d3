import { MsgPackDecoderFast } from "@jsonjoy.com/json-pack/lib/msgpack/MsgPackDecoderFast.js";
import { MsgPackEncoderFast } from "@jsonjoy.com/json-pack/lib/msgpack/MsgPackEncoderFast.js";
import type { Candidate } from "../types.js";

/** json-pack in the variants that are fastest in its own benchmark. */
export const jsonPack: Candidate = {
  id: "json-pack",
  title: "json-pack",
  package: "@jsonjoy.com/json-pack",
  format: "msgpack",
  ours: false,
  note: "`MsgPackEncoderFast` and `MsgPackDecoderFast`, which support only JSON's types.",
  create: () => {
    const encoder = new MsgPackEncoderFast();
    const decoder = new MsgPackDecoderFast();
    return { encode: (value) => encoder.encode(value), decode: (payload) => decoder.decode(payload as Uint8Array) };
  },
};
