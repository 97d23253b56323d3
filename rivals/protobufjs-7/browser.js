// For bundlers, whose pages have no `require`: the library alone, without the code generator.
import Long from "long";
import protobuf from "protobufjs";

export { Long, protobuf };
