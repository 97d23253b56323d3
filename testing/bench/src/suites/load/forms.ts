import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { codec } from "@moonpack/pck";
import { encode } from "@msgpack/msgpack";
import type { Dictionary } from "./dictionary.js";
import { FORMS, fileOf } from "./files.js";
import { dictionarySchema } from "./schema.js";

/** Writes every form of the dictionary, plain and with gzip. */
export function writeForms(folder: string, dictionary: Dictionary): void {
  const bytes: Record<(typeof FORMS)[number]["id"], Uint8Array> = {
    pretty: Buffer.from(JSON.stringify(dictionary, null, 2)),
    json: Buffer.from(JSON.stringify(dictionary)),
    msgpack: encode(dictionary),
    pck: codec(dictionarySchema).encode({ readings: new Map(Object.entries(dictionary)) }),
  };
  for (const { id } of FORMS) {
    writeFileSync(fileOf(folder, id), bytes[id]);
    writeFileSync(fileOf(folder, id, "gzip"), gzipSync(bytes[id]));
  }
}
