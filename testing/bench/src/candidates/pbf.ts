import { PbfReader, PbfWriter } from "pbf";
import { compile } from "pbf/compile";
import { parse } from "protocol-buffers-schema";

/** pbf's generated code for one message type of a .proto text. */
export function pbfCodec(proto: string, type: string) {
  const code = compile(parse(proto));
  const write = code[`write${type}`]!;
  const read = code[`read${type}`]!;
  return {
    encode(message: object): Uint8Array {
      const writer = new PbfWriter();
      write(message, writer);
      return writer.finish();
    },
    decode: (bytes: Uint8Array): object => read(new PbfReader(bytes)),
  };
}
