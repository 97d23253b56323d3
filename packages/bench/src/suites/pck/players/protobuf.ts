import { create, createFileRegistry, type DescMessage, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { PbfReader, PbfWriter } from "pbf";
import { compile } from "pbf/compile";
import { parse } from "protocol-buffers-schema";
import { descriptor, libraries, reflectedType } from "../../protobuf/libraries.js";
import type { Workload } from "../workloads/workload.js";
import type { Player } from "./player.js";

const TYPE = "Message";

/** protobuf.js with the code that it generates. */
export const protobufJs: Player = {
  id: "protobufjs",
  title: "protobuf.js 8",
  create({ proto }) {
    const type = reflectedType(libraries[8], { source: proto, type: TYPE });
    return { encode: (message) => type.encode(message).finish(), decode: (bytes) => type.decode(bytes) };
  },
};

/** protobuf-es by descriptors, with its own messages. */
export const protobufEs: Player = {
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

/** pbf with the code that it compiles. */
export const pbf: Player = {
  id: "pbf",
  title: "pbf",
  create({ proto }) {
    const code = compile(parse(proto));
    const write = code[`write${TYPE}`]!;
    const read = code[`read${TYPE}`]!;
    return {
      encode(message) {
        const writer = new PbfWriter();
        write(message, writer);
        return writer.finish();
      },
      decode: (bytes) => read(new PbfReader(bytes)),
    };
  },
};
