import { Decoder, Encoder } from "cbor-x";
import type { Candidate } from "../types.js";

/** cbor-x with standard CBOR, a related format. */
export const cborX: Candidate = {
  id: "cbor-x",
  title: "cbor-x",
  package: "cbor-x",
  format: "cbor",
  ours: false,
  note: "CBOR, `useRecords: false`, reading its own bytes.",
  create: () => {
    const encoder = new Encoder({ useRecords: false });
    const decoder = new Decoder({ useRecords: false });
    return { encode: (value) => encoder.encode(value), decode: (payload) => decoder.decode(payload as Uint8Array) };
  },
};
