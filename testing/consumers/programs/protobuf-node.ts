import { BufferWriter } from "@moonpack/protobuf/node";

const bytes: Buffer = new BufferWriter().uint32(300).finish();
console.log(bytes.toString("hex")); // ac02
