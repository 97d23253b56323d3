import { codec, type Codec as PckCodec } from "moonpack/pck";
import type { Workload } from "../workloads/workload.js";
import type { Player } from "./player.js";

const codecs = new WeakMap<Workload, PckCodec<object, never>>();

/** The one codec that both ways of encoding go through, as in an application. */
function defaultCodec(workload: Workload): PckCodec<object, never> {
  const known = codecs.get(workload);
  if (known !== undefined) return known;
  const made = codec<object, never>(workload.schema as never);
  codecs.set(workload, made);
  return made;
}

/** Ours as it comes: the others are compared with this one. */
export const moonpack: Player = {
  id: "moonpack",
  title: "moonpack",
  ours: true,
  create(workload) {
    const pck = defaultCodec(workload);
    return { encode: (message) => pck.encodeShared(message as never), decode: (bytes) => pck.decode(bytes) };
  },
};

/** Results that may be kept. */
export const moonpackKept: Player = {
  id: "moonpack-encode",
  title: "moonpack `encode`",
  ours: true,
  only: "encode",
  create(workload) {
    const pck = defaultCodec(workload);
    return { encode: (message) => pck.encode(message as never), decode: (bytes) => pck.decode(bytes) };
  },
};

/** Without generated code. */
export const moonpackClosures: Player = {
  id: "moonpack-closures",
  title: "moonpack, no generated code",
  ours: true,
  create({ schema }) {
    const pck = codec<object, never>(schema as never, { codeGeneration: false });
    return { encode: (message) => pck.encodeShared(message as never), decode: (bytes) => pck.decode(bytes) };
  },
};

/** A module that was made before. */
export const moonpackEmitted: Player = {
  id: "moonpack-emitted",
  title: "moonpack, emitted module",
  ours: true,
  create: (_, emitted) => emitted,
};
