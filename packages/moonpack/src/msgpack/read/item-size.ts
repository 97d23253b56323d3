/** The size of an item, as far as it is known from its first bytes. Readers of parts need it before they read the item. */
import { widthOf } from "./other.js";

/** True for the first byte of an array or a map. */
export function isContainer(token: number): boolean {
  return (token >= 0x80 && token < 0xa0) || (token >= 0xdc && token < 0xe0);
}

/** Bytes of the header of the item at `pos`. */
export function headerSize(src: Uint8Array, pos: number): number {
  const token = src[pos]!;
  if (token < 0xc4 || token >= 0xe0) return 1;
  return widthOf(token) + (isExtensionByte(token) ? 2 : 1);
}

/** Bytes after the header of the string, binary or extension at `pos`; 0 for other items, and while the header is incomplete. */
export function payloadSize(src: Uint8Array, view: DataView, pos: number, end: number): number {
  const token = src[pos]!;
  if (token < 0xc4) return token >= 0xa0 && token < 0xc0 ? token & 31 : 0;
  if (token >= 0xdc || (token >= 0xca && token < 0xd4) || pos + headerSize(src, pos) > end) return 0;
  if (token >= 0xd4 && token < 0xd9) return 1 << (token - 0xd4);
  const width = widthOf(token);
  return width === 1 ? src[pos + 1]! : width === 2 ? view.getUint16(pos + 1) : view.getUint32(pos + 1);
}

/** True if the item at `pos` is complete. A container is complete with its header. */
export function isComplete(src: Uint8Array, view: DataView, pos: number, end: number): boolean {
  const token = src[pos]!;
  if (token < 0xa0 || token >= 0xe0) return true; // one byte, like most items
  return pos + itemSize(src, view, pos, end) <= end;
}

/**
 * The size of the item at `pos`, in bytes. A container counts as its header. An item whose header is incomplete at `end` counts as
 * its header too.
 */
export function itemSize(src: Uint8Array, view: DataView, pos: number, end: number): number {
  return headerSize(src, pos) + payloadSize(src, view, pos, end);
}

/** True for the first byte of an extension. */
export function isExtensionByte(token: number): boolean {
  return (token >= 0xc7 && token <= 0xc9) || (token >= 0xd4 && token <= 0xd8);
}
