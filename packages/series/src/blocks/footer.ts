/** The footer of a block (docs/series-format.md, "Blocks"): the positions of its index pages, and the facts that are also in the manifest. */
import { ByteReader, type ByteWriter, DecodeError } from "moonpack/bytes";
import { readUvar, writeUvar } from "../page/numbers.js";
import { IntegerLists } from "./integer-list.js";

const MAX_ID = 2 ** 31 - 1;
const MAX = 2 ** 51;

/** Facts about a block. Times are milliseconds, both inclusive. */
export interface BlockFacts {
  /** The level of compaction: 0 for a block that sealing wrote. */
  readonly level: number;
  readonly from: number;
  readonly to: number;
  readonly points: number;
  /** The first and the last round of sealing whose points it contains. */
  readonly generations: readonly [first: number, last: number];
  /** True for late points, which may have any times. */
  readonly isWide: boolean;
}

/** The positions of the index pages, in parallel lists. The pages of one type are ordered by id. */
export interface PageTable {
  readonly isInt64: Uint32Array;
  readonly firstId: Uint32Array;
  readonly lastId: Uint32Array;
  readonly offset: Float64Array;
  /** With the checksum. */
  readonly length: Uint32Array;
}

/** A decoded footer. */
export interface Footer {
  readonly facts: BlockFacts;
  readonly pages: PageTable;
}

function table(n: number): PageTable {
  return {
    isInt64: new Uint32Array(n),
    firstId: new Uint32Array(n),
    lastId: new Uint32Array(n),
    offset: new Float64Array(n),
    length: new Uint32Array(n),
  };
}

/** Writes a footer, without its checksum, which is in the tail. */
export function writeFooter(w: ByteWriter, facts: BlockFacts, pages: PageTable): void {
  const { level, from, to, points, generations, isWide } = facts;
  for (const number of [level, isWide ? 1 : 0, from, to, points, ...generations]) writeUvar(w, number);
  const n = pages.offset.length;
  writeUvar(w, n);
  const lists = new IntegerLists();
  for (const list of [pages.isInt64, pages.firstId, pages.lastId, pages.offset, pages.length]) lists.write(w, list, n);
}

/** Reads a footer of `length` bytes; at least four bytes follow it. Throws a DecodeError if it is damaged. */
export function readFooter(bytes: Uint8Array, length: number): Footer {
  const r = new ByteReader(bytes, 0, length);
  const [level = 0, wide = 0, from = 0, to = 0, points = 0, first = 0, last = 0, n = 0] = Array.from(
    { length: 8 },
    () => readUvar(r),
  );
  // Offsets ascend, so that a list of them takes at least two bytes for each 64.
  if (wide > 1 || from > to || first > last || n > 32 * length)
    throw new DecodeError("ERR_OUT_OF_RANGE", "the facts of a block", 0);
  const pages = table(n);
  const lists = new IntegerLists();
  lists.read(r, pages.isInt64, n, 0, 1);
  lists.read(r, pages.firstId, n, 0, MAX_ID);
  lists.read(r, pages.lastId, n, 0, MAX_ID);
  lists.read(r, pages.offset, n, 0, MAX);
  lists.read(r, pages.length, n, 1, 2 ** 32 - 1);
  if (r.pos !== length) throw new DecodeError("ERR_TRAILING_BYTES", "bytes follow the footer", r.pos);
  return { facts: { level, from, to, points, generations: [first, last], isWide: wide === 1 }, pages };
}

/** Gathers the entries of index pages. */
export class PageTableBuilder {
  readonly #entries: (readonly [isInt64: boolean, firstId: number, lastId: number, offset: number, length: number])[] =
    [];

  add(isInt64: boolean, firstId: number, lastId: number, offset: number, length: number): void {
    this.#entries.push([isInt64, firstId, lastId, offset, length]);
  }

  take(): PageTable {
    const pages = table(this.#entries.length);
    this.#entries.forEach(([isInt64, firstId, lastId, offset, length], i) => {
      pages.isInt64[i] = isInt64 ? 1 : 0;
      pages.firstId[i] = firstId;
      pages.lastId[i] = lastId;
      pages.offset[i] = offset;
      pages.length[i] = length;
    });
    return pages;
  }
}
