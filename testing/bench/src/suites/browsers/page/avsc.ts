import avsc from "avsc/etc/browser/avsc-types.js";
import { Buffer } from "buffer/index.js";
import { avscCandidates } from "../../pck/candidates/avsc-candidates.js";

/** Avro in a page, with the Buffer that bundlers add. Pages receive Uint8Arrays: wrapping them belongs to the measured time. */
export const [avscOwned, avscShared] = avscCandidates({
  typeOf: (schema) => avsc.Type.forSchema(schema),
  alloc: Buffer.alloc,
  bufferOf: ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength),
});
