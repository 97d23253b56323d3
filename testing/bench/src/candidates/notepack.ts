import notepack from "notepack.io";
import type { Candidate } from "../types.js";
import { asBuffer } from "./buffers.js";

/** notepack.io on Node. */
export const notepackIo: Candidate = {
  id: "notepack",
  title: "notepack.io",
  package: "notepack.io",
  format: "msgpack",
  ours: false,
  note: "Its decoder needs a Buffer: other arrays are wrapped within the measured time.",
  create: () => ({
    encode: (value) => notepack.encode(value) as Uint8Array,
    decode: (payload) => notepack.decode(asBuffer(payload)) as unknown,
  }),
};
