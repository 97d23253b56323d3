/** The item at a position: its type, the number of its items or bytes, and where they begin. */
import { DecodeError } from "../bytes/errors.js";
import { truncated } from "../bytes/input.js";
import { headerSize, isExtension, isNumber, numberAt } from "../msgpack/read/formats.js";
import { ended } from "./skip.js";

/** The types of items, as MessagePack's specification names them. */
export type ItemType = "array" | "binary" | "boolean" | "extension" | "map" | "nil" | "number" | "string";

/** An item without its content. */
export interface Item {
  readonly type: ItemType;
  /** Pairs of a map, elements of an array, bytes of text, binary and extensions; 0 for other items. */
  readonly size: number;
  /** Offset of the first key, element or byte. */
  readonly body: number;
}

/** Reads the header of the item at `pos`. Bytes and items that it declares must fit into the input. */
export function itemAt(src: Uint8Array, view: DataView, pos: number, end: number): Item {
  if (pos >= end) throw ended(pos, end);
  const token = src[pos]!;
  if (token === 0xc1) throw new DecodeError("ERR_INVALID_BYTE", "0xc1 is not a valid first byte", pos);
  const body = pos + headerSize(src, pos);
  if (body > end) throw truncated(pos, body - end);
  const type = typeOf(token);
  const size = sizeOf(src, view, token, pos);
  const least = type === "map" ? 2 * size : size;
  if (least > end - body) throw truncated(pos, least - (end - body));
  return { type, size, body };
}

function typeOf(token: number): ItemType {
  if (token < 0x80 || token >= 0xe0 || isNumber(token)) return "number";
  if (token < 0x90 || token >= 0xde) return "map";
  if (token < 0xa0 || token >= 0xdc) return "array";
  if (token < 0xc0 || token >= 0xd9) return "string";
  if (isExtension(token)) return "extension";
  return token === 0xc0 ? "nil" : token < 0xc4 ? "boolean" : "binary";
}

function sizeOf(src: Uint8Array, view: DataView, token: number, pos: number): number {
  if (token < 0x80 || token >= 0xe0 || isNumber(token)) return 0;
  if (token < 0xa0) return token & 15;
  if (token < 0xc0) return token & 31;
  return token < 0xc4 ? 0 : numberAt(src, view, token, pos + 1);
}
