import avsc from "avsc";
import type { Player } from "./player.js";

/** Avro, its results in memory of their own. */
export const avscOwned: Player = {
  id: "avsc",
  title: "avsc",
  create({ avro }) {
    const type = avsc.Type.forSchema(avro);
    return { encode: (message) => type.toBuffer(message), decode: (bytes) => type.fromBuffer(bytes as Buffer) };
  },
};

/** Room for every message here. */
const KEPT_BYTES = 1 << 20;

/** Avro written into memory that is kept: as our `encodeShared`. */
export const avscShared: Player = {
  id: "avsc-shared",
  title: "avsc `encode` into a kept Buffer",
  only: "encode",
  create({ avro }) {
    const type = avsc.Type.forSchema(avro);
    const kept = Buffer.alloc(KEPT_BYTES);
    return {
      encode: (message) => new Uint8Array(kept.buffer, 0, type.encode(message, kept, 0)),
      decode: (bytes) => type.fromBuffer(bytes as Buffer),
    };
  },
};
