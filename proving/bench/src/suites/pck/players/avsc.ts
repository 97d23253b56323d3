import avsc from "avsc";
import { avscPlayers } from "./avsc-players.js";

/** Avro in Node, whose decoders receive Buffers. */
export const [avscOwned, avscShared] = avscPlayers({
  typeOf: (schema) => avsc.Type.forSchema(schema),
  alloc: Buffer.alloc,
  bufferOf: (bytes) => bytes as Buffer,
});
