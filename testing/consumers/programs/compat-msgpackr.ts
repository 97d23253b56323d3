import { Decoder, type DecoderOptions, decode, decodeMulti } from "@moonpack/compat/msgpackr";

const options: DecoderOptions = { structures: [["id", "name"]] };
const record = new Uint8Array([0x40, 7, 0xa3, 0x41, 0x64, 0x61]);
const { id, name } = decode<{ id: number; name: string }>(record, options);
console.log(id, name); // 7 Ada
console.log([...decodeMulti(record, options)].length, new Decoder(options).decode<{ id: number }>(record).id); // 1 7
