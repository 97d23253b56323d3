import { decode, type EncodableValue, encode, registerExtension } from "@moonpack/compat/msgpack-nodejs";

const value: EncodableValue = { id: 7, name: "Zoë" };
const { id, name } = decode(encode(value)) as { id: number; name: string };
console.log(id, name, typeof registerExtension); // 7 Zoë function
