// The parser of both ends. The schema checks each line before a handler gets it.

import { bytes, codec, omitEmpty, schema, utf8 } from "@moonpack/pck";
import { createParser } from "@moonpack/socket.io-parser";

const Line = codec(schema("Line", utf8("name"), utf8("text"), omitEmpty(bytes("picture"))));
export const parser = createParser({ events: { line: Line }, decoder: { maxDepth: 16, maxElements: 10_000 } });
