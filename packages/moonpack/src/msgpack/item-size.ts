/** How long an item is, as far as its first bytes tell: what a reader of parts asks before it reads. */
import { widthOf } from "./scalars.js";

/** Is it the first byte of an array or a map? */
export function isContainer(token: number): boolean {
  return (token >= 0x80 && token < 0xa0) || (token >= 0xdc && token < 0xe0);
}

/** Bytes of the header of the item at `pos`. */
export function headerSize(src: Uint8Array, pos: number): number {
  const token = src[pos]!;
  if (token < 0xc4 || token >= 0xe0) return 1;
  return widthOf(token) + (isExtension(token) ? 2 : 1);
}

/** Bytes of a string, binary or extension behind its header at `pos`; 0 for what else there is, and while the header is cut. */
export function payloadSize(src: Uint8Array, view: DataView, pos: number, end: number): number {
  const token = src[pos]!;
  if (token < 0xc4) return token >= 0xa0 && token < 0xc0 ? token & 31 : 0;
  if (token >= 0xdc || (token >= 0xca && token < 0xd4) || pos + headerSize(src, pos) > end) return 0;
  if (token >= 0xd4 && token < 0xd9) return 1 << (token - 0xd4);
  const width = widthOf(token);
  return width === 1 ? src[pos + 1]! : width === 2 ? view.getUint16(pos + 1) : view.getUint32(pos + 1);
}

/** Is the item at `pos` there, without its items if it has any? */
export function isThere(src: Uint8Array, view: DataView, pos: number, end: number): boolean {
  const token = src[pos]!;
  if (token < 0xa0 || token >= 0xe0) return true; // one byte, as most are
  return pos + itemSize(src, view, pos, end) <= end;
}

/** Bytes of the item at `pos`, without its items if it has any; at least its header, when that is cut at `end`. */
export function itemSize(src: Uint8Array, view: DataView, pos: number, end: number): number {
  return headerSize(src, pos) + payloadSize(src, view, pos, end);
}

/** Its type is part of an extension's header. */
function isExtension(token: number): boolean {
  return (token >= 0xc7 && token <= 0xc9) || (token >= 0xd4 && token <= 0xd8);
}
