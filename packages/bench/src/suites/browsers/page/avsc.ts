import avsc from "avsc/etc/browser/avsc-types.js";
import { Buffer } from "buffer/index.js";
import type { Codec, Player } from "../../pck/players/player.js";

/** Avro in a page, with the Buffer that its bundlers give it. */
function setUp(avro: Parameters<Player["create"]>[0]["avro"]) {
  const type = avsc.Type.forSchema(avro);
  // What arrives is no Buffer, and has to become one: in the measured time.
  const decode: Codec["decode"] = (bytes) =>
    type.fromBuffer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  return { type, decode };
}

/** Its results in memory of their own. */
export const avscOwned: Player = {
  id: "avsc",
  title: "avsc",
  create({ avro }) {
    const { type, decode } = setUp(avro);
    return { encode: (message) => type.toBuffer(message), decode };
  },
};

/** Room for every message here. */
const KEPT_BYTES = 1 << 20;

/** Written into memory that is kept: as our `encodeShared`. */
export const avscShared: Player = {
  id: "avsc-shared",
  title: "avsc `encode` into a kept Buffer",
  only: "encode",
  create({ avro }) {
    const { type, decode } = setUp(avro);
    const kept = Buffer.alloc(KEPT_BYTES);
    return { encode: (message) => new Uint8Array(kept.buffer, 0, type.encode(message, kept, 0)), decode };
  },
};
