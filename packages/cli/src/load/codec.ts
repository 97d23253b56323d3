/** The codec of values: `--codec` and `--schema`. */
import type { Codec } from "@moonpack/load/targets";
import { codec } from "@moonpack/pck";
import { Decoder, Encoder } from "moonpack";
import { loadSchema } from "../pck/schema-file.js";
import { badOption } from "./arguments.js";

/** The options that choose a codec. */
export interface CodecArguments {
  readonly codec?: "json" | "msgpack" | "pck";
  readonly schema?: string;
  readonly export?: string;
}

/** Returns the codec of the options; undefined without `--codec`. */
export async function codecOf(options: CodecArguments): Promise<Codec | undefined> {
  const { codec: name, schema, export: exported } = options;
  if (name !== "pck") {
    const stray = schema !== undefined ? "--schema" : exported !== undefined ? "--export" : undefined;
    if (stray !== undefined) throw badOption(`${stray} needs --codec pck`);
  }
  if (name === undefined) return undefined;
  if (name === "json") return json();
  if (name === "msgpack") {
    const [encoder, decoder] = [new Encoder(), new Decoder()];
    return { name, encode: (value) => encoder.encode(value), decode: (bytes) => decoder.decode(bytes) };
  }
  if (schema === undefined) throw badOption("--codec pck needs --schema FILE");
  const pck = codec(await loadSchema(schema, exported));
  return { name, encode: (value) => pck.encode(value as never), decode: (bytes) => pck.decode(bytes) };
}

function json(): Codec {
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
  return {
    name: "json",
    encode: (value) => encoder.encode(JSON.stringify(value)),
    decode: (bytes) => JSON.parse(decoder.decode(bytes)),
  };
}
