import { MsgPackDecoderFast } from "@jsonjoy.com/json-pack/lib/msgpack/MsgPackDecoderFast.js";
import { MsgPackEncoderFast } from "@jsonjoy.com/json-pack/lib/msgpack/MsgPackEncoderFast.js";
import type { Player } from "../types.js";

/** json-pack in the variants that its own benchmark names the fastest. */
export const jsonPack: Player = {
  id: "json-pack",
  title: "json-pack",
  package: "@jsonjoy.com/json-pack",
  format: "msgpack",
  ours: false,
  note: "`MsgPackEncoderFast` and `MsgPackDecoderFast`, which know JSON's types only.",
  create: () => {
    const encoder = new MsgPackEncoderFast();
    const decoder = new MsgPackDecoderFast();
    return { encode: (value) => encoder.encode(value), decode: (payload) => decoder.decode(payload as Uint8Array) };
  },
};
