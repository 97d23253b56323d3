import { create, createFileRegistry, type DescMessage, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { pbfCodec } from "../../../candidates/pbf.js";
import { descriptor, libraries, reflectedType } from "../../protobuf/libraries.js";
import type { Workload } from "../workloads/workload.js";
import type { Candidate } from "./candidate.js";

const TYPE = "Message";

/** protobuf.js with its generated code. */
export const protobufJs: Candidate = {
  id: "protobufjs",
  title: "protobuf.js 8",
  create({ proto }) {
    const type = reflectedType(libraries[8], { source: proto, type: TYPE });
    return { encode: (message) => type.encode(message).finish(), decode: (bytes) => type.decode(bytes) };
  },
};

/** protobuf-es with descriptors and its own messages. */
export const protobufEs: Candidate = {
  id: "protobuf-es",
  title: "protobuf-es",
  create(workload) {
    const type = describe(workload);
    return {
      encode: (message) => toBinary(type, message as Message),
      decode: (bytes) => fromBinary(type, bytes),
      prepare: (value) => create(type, value as never),
    };
  },
};

function describe({ proto }: Workload): DescMessage {
  const file = fromBinary(FileDescriptorProtoSchema, descriptor({ source: proto, type: TYPE }));
  const found = createFileRegistry(file, () => undefined).getMessage(TYPE);
  if (found === undefined) throw new Error(`no type ${TYPE}`);
  return found;
}

/** pbf with its generated code. */
export const pbf: Candidate = {
  id: "pbf",
  title: "pbf",
  create: ({ proto }) => pbfCodec(proto, TYPE),
};
