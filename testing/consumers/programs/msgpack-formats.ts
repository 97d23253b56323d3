import { encode } from "moonpack";
import {
  createKeyTable,
  headerSize,
  isContainer,
  itemSize,
  type KeyTable,
  nameOf,
  numberAt,
  PartialItem,
} from "moonpack/msgpack/formats";

const bytes = encode(["moonpack", 300]);
const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
const sizes: string[] = [];
for (let pos = 0; pos < bytes.length; pos += itemSize(bytes, view, pos, bytes.length)) {
  const token = bytes[pos]!;
  sizes.push(`${nameOf(token)} ${headerSize(bytes, pos)} ${isContainer(token)}`);
}
console.log(sizes.join(", ")); // fixarray 1 true, fixstr 1 false, uint 16 3 false
console.log(numberAt(bytes, view, 0xcd, bytes.length - 2)); // 300

const item = new PartialItem();
item.append(bytes, 1, 4, itemSize(bytes, view, 1, bytes.length));
console.log(item.size, item.declared); // 3 9
const keys: KeyTable = createKeyTable();
const text: string = keys.find(bytes, view, 1, 9) ?? keys.learn(view, 1, 9, "moonpack");
console.log(text, keys.find(bytes, view, 1, 9)); // moonpack moonpack
