import { createRequire } from "node:module";
import { libraryOf } from "@moonpack/protobufjs";

const require = createRequire(import.meta.url);

export const { protobuf, minimal, Long, generate, load } = libraryOf(require);
