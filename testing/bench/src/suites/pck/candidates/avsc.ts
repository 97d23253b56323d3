import avsc from "avsc";
import { avscCandidates } from "./avsc-candidates.js";

/** Avro in Node, whose decoders receive Buffers. */
export const [avscOwned, avscShared] = avscCandidates({
  typeOf: (schema) => avsc.Type.forSchema(schema),
  alloc: Buffer.alloc,
  bufferOf: (bytes) => bytes as Buffer,
});
