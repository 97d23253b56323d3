import { codec, type Codec as PckCodec } from "@moonpack/pck";
import type { Workload } from "../workloads/workload.js";
import type { Candidate } from "./candidate.js";

const codecs = new WeakMap<Workload, PckCodec<object, never>>();

/** The codec for both ways of encoding, as an application would have only one. */
function defaultCodec(workload: Workload): PckCodec<object, never> {
  const known = codecs.get(workload);
  if (known !== undefined) return known;
  const made = codec<object, never>(workload.schema as never);
  codecs.set(workload, made);
  return made;
}

/** moonpack with its default options. The others are compared with it. */
export const moonpack: Candidate = {
  id: "moonpack",
  title: "moonpack",
  ours: true,
  create(workload) {
    const pck = defaultCodec(workload);
    return { encode: (message) => pck.encodeShared(message as never), decode: (bytes) => pck.decode(bytes) };
  },
};

/** moonpack with results that may be kept. */
export const moonpackKept: Candidate = {
  id: "moonpack-encode",
  title: "moonpack `encode`",
  ours: true,
  only: "encode",
  create(workload) {
    const pck = defaultCodec(workload);
    return { encode: (message) => pck.encode(message as never), decode: (bytes) => pck.decode(bytes) };
  },
};

/** moonpack without generated code. */
export const moonpackClosures: Candidate = {
  id: "moonpack-closures",
  title: "moonpack, no generated code",
  ours: true,
  create({ schema }) {
    const pck = codec<object, never>(schema as never, { codeGeneration: false });
    return { encode: (message) => pck.encodeShared(message as never), decode: (bytes) => pck.decode(bytes) };
  },
};

/** moonpack with a module that was emitted before. */
export const moonpackEmitted: Candidate = {
  id: "moonpack-emitted",
  title: "moonpack, emitted module",
  ours: true,
  create: (_, emitted) => emitted,
};
