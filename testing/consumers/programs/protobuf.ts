import { Reader, type ReaderOptions, Writer } from "@moonpack/protobuf";

const writer = new Writer();
writer.uint32((1 << 3) | 2).string("Zoë");
writer
  .uint32((2 << 3) | 2)
  .fork()
  .uint32(8)
  .int64(2n ** 60n)
  .ldelim();
const bytes: Uint8Array = writer.finish();
console.log(bytes.length); // 18

const options: ReaderOptions = { int64: "bigint" };
const reader = new Reader(bytes, options);
reader.tag();
console.log(reader.string()); // Zoë
reader.skipType(reader.tag() & 7);
console.log(reader.pos === reader.len); // true
