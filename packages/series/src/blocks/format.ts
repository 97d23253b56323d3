/** The parts of a block file (docs/series-format.md, "Blocks"): sizes, magic numbers, the head and the tail. */
import { crc32 } from "node:zlib";
import { type ByteWriter, DecodeError } from "moonpack/bytes";
import { SeriesError } from "../errors.js";

/** Maximum number of points in a chunk. */
export const CHUNK_POINTS = 512;
/** Maximum number of metrics in an index page. */
export const PAGE_METRICS = 256;
/** Milliseconds of a UTC week, counted from 1970: no chunk has points of two weeks. */
export const WEEK = 604_800_000;
export const CRC_BYTES = 4;
/** Bits of an id in a block of summaries that are its role; the others are the id of the metric. */
export const ROLE_BITS = 3;
/** Bytes of a block's head: the magic text, the version, the number of the file. */
export const HEAD_BYTES = 16;
/** Bytes of a block's tail: the offset, the length and the checksum of the footer. */
export const TAIL_BYTES = 16;
/** The magic number and the length of an index page. */
export const INDEX_HEAD_BYTES = 8;
/** "mipg", little-endian. */
export const INDEX_MAGIC = 0x6770_696d;
/** The version of the files. */
export const BLOCK_FORMAT = 2;
const MAGIC = [0x6d, 0x6f, 0x6f, 0x6e, 0x62, 0x6c, 0x6b, 0x31] as const;
const TWO_32 = 2 ** 32;

/** Returns the UTC week of a time. */
export function weekOf(time: number): number {
  return Math.floor(time / WEEK);
}

/** The position of the footer of a block. */
export interface FooterPlace {
  readonly offset: number;
  readonly length: number;
  readonly crc: number;
}

/** The head of a block file. */
export function blockHead(file: number): Uint8Array<ArrayBuffer> {
  const head = new Uint8Array(HEAD_BYTES);
  head.set(MAGIC);
  const view = new DataView(head.buffer);
  view.setUint32(8, BLOCK_FORMAT, true);
  view.setUint32(12, file, true);
  return head;
}

/** True for the head of this file. */
export function isBlockHead(bytes: Uint8Array, file: number): boolean {
  const expected = blockHead(file);
  return bytes.length >= HEAD_BYTES && expected.every((byte, i) => bytes[i] === byte);
}

/** The tail of a block file. */
export function blockTail({ offset, length, crc }: FooterPlace): Uint8Array<ArrayBuffer> {
  const tail = new Uint8Array(TAIL_BYTES);
  const view = new DataView(tail.buffer);
  view.setUint32(0, offset % TWO_32, true);
  view.setUint32(4, Math.floor(offset / TWO_32), true);
  view.setUint32(8, length, true);
  view.setUint32(12, crc, true);
  return tail;
}

/** Reads the tail of a file of `size` bytes. Throws a DecodeError for a place outside the file. */
export function readBlockTail(tail: Uint8Array, size: number): FooterPlace {
  const view = new DataView(tail.buffer, tail.byteOffset, TAIL_BYTES);
  const offset = view.getUint32(0, true) + view.getUint32(4, true) * TWO_32;
  const length = view.getUint32(8, true);
  if (offset < HEAD_BYTES || offset + length + TAIL_BYTES !== size)
    throw new DecodeError("ERR_OUT_OF_RANGE", "the footer is not where the tail says", size - TAIL_BYTES);
  return { offset, length, crc: view.getUint32(12, true) };
}

/** Fewer bytes than this are summed by a loop: the call of zlib and its view of the bytes take longer. */
const SHORT = 24;
const CRC_TABLE = /* @__PURE__ */ Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (-(crc & 1) & 0xedb8_8320);
  return crc;
});

function checksum(bytes: Uint8Array, start: number, end: number): number {
  if (end - start >= SHORT) return crc32(bytes.subarray(start, end));
  let crc = -1;
  for (let i = start; i < end; i++) crc = CRC_TABLE[(crc ^ bytes[i]!) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** Writes the checksum of the bytes from `start` on. */
export function writeCrc(w: ByteWriter, start: number): void {
  w.u32(checksum(w.bytes, start, w.pos), true);
}

/** Verifies the checksum after `bytes[start..end)`. Throws a DecodeError. */
export function checkCrc(bytes: Uint8Array, view: DataView, start: number, end: number): void {
  if (checksum(bytes, start, end) !== view.getUint32(end, true))
    throw new DecodeError("ERR_INVALID_BYTE", "the checksum does not match", end);
}

/** Returns the path of a block file in the folder of a store. */
export function blockName(file: number): string {
  return `blocks/${String(file).padStart(10, "0")}.blk`;
}

/** A damaged part of a block, and the points that are lost with it. */
export interface DamagedPart {
  readonly file: number;
  readonly offset: number;
  readonly part: "chunk" | "time column" | "index page" | "footer" | "block";
  /** The first and the last metric. */
  readonly metrics: readonly [first: number, last: number];
  /** Times in milliseconds, both inclusive. */
  readonly from: number;
  readonly to: number;
}

/** The error for a damaged part of a block: it names the metrics and the times. */
export function damagedBlock(damaged: DamagedPart, cause: unknown): SeriesError {
  const { file, offset, part, metrics, from, to } = damaged;
  const [first, last] = metrics;
  const who = first === last ? `metric ${first}` : `metrics ${first} to ${last}`;
  const span = `${new Date(from).toISOString()} to ${new Date(to).toISOString()}`;
  const message = `a ${part} of ${who}, ${span}, is damaged (${blockName(file)}, byte ${offset}): ${(cause as Error).message}`;
  return new SeriesError("ERR_SERIES_CORRUPT", message, { file: blockName(file), offset, metrics, from, to }, cause);
}
