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
import { GrowingKeyTable } from "./read/key-table.js";

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
export { PartialItem } from "./read/parts/partial-item.js";

/** Strings of short map keys by their bytes: a key that recurs takes a comparison in place of a new string. Its memory is bounded, 0.75 MB. */
export interface KeyTable {
  /**
   * Returns the key whose header is at `pos`, or null if it is not in the table. `size`: its bytes with the header, 2 to 32; the
   * caller has checked that they are present.
   */
  find(src: Uint8Array, view: DataView, pos: number, size: number): string | null;
  /** Enters the text of the key that `find` has just missed, and returns it. */
  learn(view: DataView, pos: number, size: number, text: string): string;
}

/** Creates an empty table of keys. */
export function createKeyTable(): KeyTable {
  return new GrowingKeyTable();
}
