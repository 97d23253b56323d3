import { BinaryReader, BinaryWriter, sizeDelimitedEncode, WireType } from "@moonpack/protobuf/wire";

const bytes = new BinaryWriter().tag(1, WireType.Varint).int32(-1).finish();
const reader = new BinaryReader(bytes);
const [field, type] = reader.tag();
console.log(field, type === WireType.Varint, reader.int32()); // 1 true -1
console.log(typeof sizeDelimitedEncode); // function
