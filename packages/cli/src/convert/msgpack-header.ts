/**
 * Headers of MessagePack items, of which the rest may not be read yet. moonpack has no public function for them: its decoders read
 * complete items.
 */
import type { ContainerKind } from "./sink.js";

/** The information in an item's header. */
export interface MsgpackHeader {
  /** Undefined if the item is not a container. */
  readonly kind: ContainerKind | undefined;
  /** Elements or pairs; for a string, binary or extension with a 32-bit length its bytes; 0 for other items. */
  readonly count: number;
  /** Size of the header itself. */
  readonly length: number;
}

/** Size of the longest header. */
export const LONGEST_HEADER = 6;

/** Reads the header at the start of `bytes`, which must hold at least as many bytes as the longest header. */
export function headerOf(bytes: Uint8Array): MsgpackHeader {
  const byte = bytes[0]!;
  const view = new DataView(bytes.buffer, bytes.byteOffset, LONGEST_HEADER);
  if (byte >= 0x80 && byte < 0xa0) return { kind: byte < 0x90 ? "map" : "array", count: byte & 15, length: 1 };
  if (byte === 0xdc || byte === 0xde) return { kind: kindOf(byte), count: view.getUint16(1), length: 3 };
  if (byte === 0xdd || byte === 0xdf) return { kind: kindOf(byte), count: view.getUint32(1), length: 5 };
  if (byte === 0xc6 || byte === 0xdb) return { kind: undefined, count: view.getUint32(1), length: 5 };
  if (byte === 0xc9) return { kind: undefined, count: view.getUint32(1), length: 6 };
  return { kind: undefined, count: 0, length: 1 };
}

function kindOf(byte: number): ContainerKind {
  return byte < 0xde ? "array" : "map";
}

/** Returns the shortest header of an array or map with `count` elements or pairs. */
export function containerHeader(kind: ContainerKind, count: number): Uint8Array {
  const map = kind === "map";
  if (count < 16) return Uint8Array.of((map ? 0x80 : 0x90) | count);
  const header = Buffer.alloc(count < 0x10000 ? 3 : 5);
  if (count < 0x10000) {
    header[0] = map ? 0xde : 0xdc;
    header.writeUInt16BE(count, 1);
  } else {
    header[0] = map ? 0xdf : 0xdd;
    header.writeUInt32BE(count, 1);
  }
  return header;
}
