// For bundlers, whose pages have no `require`: the library alone, without the code generator.
import Long from "long";
import protobuf from "protobufjs";
import descriptor from "protobufjs/ext/descriptor.js";
import { encodeDescriptor } from "./descriptor.js";

export { Long, protobuf };

/** As in index.js. */
export function descriptorOf(source, name) {
  return encodeDescriptor(protobuf, descriptor, source, name);
}
