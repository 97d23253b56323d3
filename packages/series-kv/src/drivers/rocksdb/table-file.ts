/**
 * Finds the column of a table file. The binding has no call for the size of a column, but the properties at the end of each file name its
 * column. Reads only the layout that this version of RocksDB writes (format 6).
 */
import { ByteReader } from "moonpack/bytes";

/** Number of bytes at the end of a file that contain its properties and footer. */
export const TAIL_BYTES = 16_384;
const FOOTER_BYTES = 53;
/** Bytes after each block: its compression and its checksum. */
const TRAILER_BYTES = 5;
const VERSION = 6;
const MAGIC = [0xf7, 0xcf, 0xf4, 0x85, 0xb7, 0x41, 0xe2, 0x88];

/** Returns the column that a file names; undefined for an incomplete file or another layout. */
export function columnOfTable(tail: Uint8Array, fileSize: number): string | undefined {
  const footer = tail.length - FOOTER_BYTES;
  if (footer < 0 || MAGIC.some((byte, i) => tail[tail.length - MAGIC.length + i] !== byte)) return undefined;
  const view = new DataView(tail.buffer, tail.byteOffset, tail.length);
  if (view.getUint32(tail.length - 12, true) !== VERSION) return undefined;
  try {
    const end = footer - TRAILER_BYTES;
    const handle = inBlock(tail, end - view.getUint32(footer + 13, true), end, "rocksdb.properties");
    if (handle === undefined) return undefined;
    const r = new ByteReader(handle);
    const start = longOf(r) - (fileSize - tail.length);
    const name = inBlock(tail, start, start + longOf(r), "rocksdb.column.family.name");
    return name && Buffer.from(name).toString();
  } catch {
    // The reader checks bounds: a file with an unexpected layout has an unknown column.
    return undefined;
  }
}

/** Reads a varint below 2^53. */
function longOf(r: ByteReader): number {
  let n = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = r.u8();
    n += (byte & 0x7f) * factor;
    if (byte < 0x80) return n;
  }
}

/** Returns the value of a key in a block, whose keys are prefix-compressed. */
function inBlock(tail: Uint8Array, start: number, end: number, key: string): Uint8Array | undefined {
  const restarts = new DataView(tail.buffer, tail.byteOffset + end - 4, 4).getUint32(0, true) & 0xffff;
  const r = new ByteReader(tail, start, end - 4 - restarts * 4);
  let last = "";
  while (r.pos < r.end) {
    const shared = r.uvar32();
    const rest = r.uvar32();
    const length = r.uvar32();
    last = last.slice(0, shared) + Buffer.from(r.raw(rest)).toString("latin1");
    const value = r.raw(length);
    if (last === key) return value;
  }
  return undefined;
}
