import type { Library } from "@moonpack/protobufjs";
import type * as Protobuf from "protobufjs";

type Version = Library<typeof Protobuf>;
export const protobuf: Version["protobuf"];
export const minimal: Version["minimal"];
export const Long: Version["Long"];
export const generate: Version["generate"];
export const load: Version["load"];
