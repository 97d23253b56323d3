import { Decoder, decode, encode, encodeOwned, encodeShared } from "moonpack";
import type { Candidate } from "../types.js";

/** Our decoder and our three encoding functions, one row each. */
export const moonpackCandidates: readonly Candidate[] = [
  {
    id: "moonpack",
    title: "moonpack",
    package: "moonpack",
    format: "msgpack",
    ours: true,
    note: "`decode` and `encode`: the result owns its memory, or shares a slab whose bytes are never reused.",
    create: () => ({ encode: (value) => encode(value), decode: (payload) => decode(payload as Uint8Array) }),
  },
  {
    id: "moonpack-shared",
    title: "moonpack `encodeShared`",
    package: "moonpack",
    format: "msgpack",
    ours: true,
    shared: true,
    note: "The result is valid until the next call, for sockets and stores that copy it at once.",
    create: () => ({ encode: (value) => encodeShared(value) }),
  },
  {
    id: "moonpack-owned",
    title: "moonpack `encodeOwned`",
    package: "moonpack",
    format: "msgpack",
    ours: true,
    note: "The result has its own ArrayBuffer of exactly its size, as transferring and long storage need it.",
    create: () => ({ encode: (value) => encodeOwned(value) }),
  },
  {
    id: "moonpack-interpreted",
    title: "moonpack, no generated code",
    package: "moonpack",
    format: "msgpack",
    ours: true,
    note: "As in browsers, in edge workers and with `--disallow-code-generation-from-strings`. Encoders never generate code.",
    create: () => {
      const decoder = new Decoder({ codeGeneration: false });
      return { decode: (payload) => decoder.decode(payload as Uint8Array) };
    },
  },
];
