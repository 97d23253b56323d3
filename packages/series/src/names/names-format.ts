/** The parts of a names file (docs/series-format.md, "Names"). */
import { ByteReader, type ByteWriter, DecodeError } from "moonpack/bytes";
import { BLOCK_FORMAT } from "../blocks/format.js";
import { IntegerLists } from "../blocks/integer-list.js";
import { SeriesError } from "../errors.js";
import { readUvar, writeUvar } from "../page/numbers.js";
import { PageKeys } from "./page-keys.js";

const MAGIC = [0x6d, 0x6f, 0x6f, 0x6e, 0x6e, 0x61, 0x6d, 0x31] as const;
/** Bytes of a file's head: "moonnam1", the version, the number of the file. */
export const NAMES_HEAD_BYTES = 16;
/** Ids of a page of the id table. */
export const ID_PAGE = 1024;
const MAX = 2 ** 51;
const MAX_ID = 2 ** 31 - 1;
const MAX_KEY = 16_384;

/** Returns the path of a names file in the folder of a store. */
export function namesName(file: number): string {
  return `names/${String(file).padStart(10, "0")}.nam`;
}

/** The head of a names file. */
export function namesHead(file: number): Uint8Array<ArrayBuffer> {
  const head = new Uint8Array(NAMES_HEAD_BYTES);
  head.set(MAGIC);
  const view = new DataView(head.buffer);
  view.setUint32(8, BLOCK_FORMAT, true);
  view.setUint32(12, file, true);
  return head;
}

/** The pages of a table: their positions, and the beginning of each first key that is greater than all keys of the previous page. */
export interface TableDirectory {
  readonly offset: Float64Array;
  /** With the checksum. */
  readonly length: Uint32Array;
  readonly firstKey: PageKeys;
}

/** The pages of the id table: their positions and ids. */
export interface IdDirectory {
  readonly offset: Float64Array;
  readonly length: Uint32Array;
  readonly firstId: Uint32Array;
  readonly lastId: Uint32Array;
}

/** The directory at the end of a names file. */
export interface NamesDirectory {
  readonly metrics: number;
  /** Canonical forms, and the entries of the tag index. */
  readonly forms: TableDirectory;
  readonly tags: TableDirectory;
  readonly ids: IdDirectory;
}

/** Writes a directory, without its checksum. */
export function writeDirectory(w: ByteWriter, { metrics, forms, tags, ids }: NamesDirectory): void {
  const lists = new IntegerLists();
  writeUvar(w, metrics);
  for (const { offset, length, firstKey } of [forms, tags]) {
    const n = offset.length;
    writeUvar(w, n);
    lists.write(w, offset, n);
    lists.write(w, length, n);
    for (let i = 0; i < n; i++) {
      const key = firstKey.at(i);
      writeUvar(w, key.length);
      w.raw(key);
    }
  }
  const n = ids.offset.length;
  writeUvar(w, n);
  for (const list of [ids.offset, ids.length, ids.firstId, ids.lastId]) lists.write(w, list, n);
}

/** Reads a directory of `length` bytes; at least four bytes follow it. Throws a DecodeError if it is damaged. */
export function readDirectory(bytes: Uint8Array, length: number): NamesDirectory {
  const r = new ByteReader(bytes, 0, length);
  const lists = new IntegerLists();
  const metrics = readUvar(r);
  const [forms, tags] = [readTable(r, lists), readTable(r, lists)];
  const n = countOf(r, length);
  const ids = {
    offset: new Float64Array(n),
    length: new Uint32Array(n),
    firstId: new Uint32Array(n),
    lastId: new Uint32Array(n),
  };
  lists.read(r, ids.offset, n, 0, MAX);
  lists.read(r, ids.length, n, 1, 2 ** 32 - 1);
  lists.read(r, ids.firstId, n, 0, MAX_ID);
  lists.read(r, ids.lastId, n, 0, MAX_ID);
  if (r.pos !== length) throw new DecodeError("ERR_TRAILING_BYTES", "bytes follow the directory", r.pos);
  return { metrics, forms, tags, ids };
}

function readTable(r: ByteReader, lists: IntegerLists): TableDirectory {
  const n = countOf(r, r.end);
  const offset = new Float64Array(n);
  const length = new Uint32Array(n);
  lists.read(r, offset, n, 0, MAX);
  lists.read(r, length, n, 1, 2 ** 32 - 1);
  const starts = new Uint32Array(n);
  const ends = new Uint32Array(n);
  for (let i = 0; i < n; i++) {
    const at = r.pos;
    const bytes = readUvar(r);
    if (bytes > MAX_KEY) throw new DecodeError("ERR_OUT_OF_RANGE", `a key of ${bytes} bytes`, at);
    starts[i] = r.pos;
    r.raw(bytes);
    ends[i] = r.pos;
  }
  return { offset, length, firstKey: new PageKeys(r.bytes, starts, ends) };
}

/** A number of pages: integer lists of equal numbers take few bytes, the keys of pages at least one each. */
function countOf(r: ByteReader, most: number): number {
  const at = r.pos;
  const n = readUvar(r);
  if (n > most) throw new DecodeError("ERR_OUT_OF_RANGE", `${n} pages`, at);
  return n;
}

/** The error for a damaged part of a names file. */
export function damagedNames(file: number, offset: number, part: string, cause: unknown): SeriesError {
  const message = `${part} of ${namesName(file)} is damaged (byte ${offset}): ${(cause as Error).message}`;
  return new SeriesError("ERR_SERIES_CORRUPT", message, { file: namesName(file), offset }, cause);
}
