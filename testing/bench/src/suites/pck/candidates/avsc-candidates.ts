import type { Type } from "avsc";
import type { Workload } from "../workloads/workload.js";
import type { Candidate } from "./candidate.js";

/** The parts of avsc, and of the Buffer class that it uses, which differ between Node and pages. */
export interface Avsc {
  typeOf(schema: Workload["avro"]): Type;
  alloc(size: number): Buffer;
  /** The received bytes as the class that avsc reads. */
  bufferOf(bytes: Uint8Array): Buffer;
}

/** Larger than every message. */
const KEPT_BYTES = 1 << 20;

/** Avro with results in their own memory, and written into memory that is reused, like our `encodeShared`. */
export function avscCandidates({ typeOf, alloc, bufferOf }: Avsc): readonly [owned: Candidate, shared: Candidate] {
  return [
    {
      id: "avsc",
      title: "avsc",
      create({ avro }) {
        const type = typeOf(avro);
        return {
          encode: (message) => type.toBuffer(message),
          decode: (bytes) => type.fromBuffer(bufferOf(bytes)),
        };
      },
    },
    {
      id: "avsc-shared",
      title: "avsc `encode` into a kept Buffer",
      only: "encode",
      create({ avro }) {
        const type = typeOf(avro);
        const kept = alloc(KEPT_BYTES);
        return {
          encode: (message) => new Uint8Array(kept.buffer, 0, type.encode(message, kept, 0)),
          decode: (bytes) => type.fromBuffer(bufferOf(bytes)),
        };
      },
    },
  ];
}
