// The parser of both ends. A line is checked by its schema before any handler sees it.

import { bytes, codec, omitEmpty, schema, utf8 } from "@moonpack/pck";
import { createParser } from "@moonpack/socket.io-parser";

const Line = codec(schema("Line", utf8("name"), utf8("text"), omitEmpty(bytes("picture"))));
export const parser = createParser({ events: { line: Line }, decoder: { maxDepth: 16, maxElements: 10_000 } });
