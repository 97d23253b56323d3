/**
 * The formats of MessagePack by their first byte, for tools that read or write single items: what follows a header, the size of an item, the
 * table of recurring keys, and items that arrive in parts.
 *
 * @example
 * import { itemSize } from "moonpack/msgpack/formats";
 * itemSize(bytes, view, pos, bytes.length); // a container counts as its header
 *
 * @module
 */
export {
  containerHeader,
  fixextOf,
  headerSize,
  integerAt,
  isContainer,
  isExtension,
  isNumber,
  itemSize,
  nameOf,
  numberAt,
  payloadSize,
  textHeader,
  widthOf,
} from "./read/formats.js";
export { GrowingKeyTable as KeyTable } from "./read/key-table.js";
export { PartialItem } from "./read/parts/partial-item.js";
