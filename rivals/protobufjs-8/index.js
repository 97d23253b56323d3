import { createRequire } from "node:module";
import { libraryOf } from "@moonpack/protobufjs";
import { encodeDescriptor } from "./descriptor.js";

const require = createRequire(import.meta.url);

export const { protobuf, minimal, Long, generate, load } = libraryOf(require);

/** The encoded FileDescriptorProto of a .proto file's text. */
export function descriptorOf(source, name) {
  return encodeDescriptor(protobuf, require("protobufjs/ext/descriptor"), source, name);
}
