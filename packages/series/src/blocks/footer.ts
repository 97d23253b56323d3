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
  /** Only of a block of summaries: its points are windows. */
  readonly summary?: SummaryFacts;
}

/** The windows of a block of summaries. */
export interface SummaryFacts {
  /** The length of a window in milliseconds. */
  readonly window: number;
  /** The roles that each window has, as bits. */
  readonly roles: number;
}

/** Returns the windows of a block; undefined for a block of points. Facts that were read as JSON may lack the property. */
export function summaryOf(facts: Pick<BlockFacts, "summary">): SummaryFacts | undefined {
  return Object.hasOwn(facts, "summary") ? facts.summary : undefined;
}

/** The bits of a footer's second number. */
const WIDE = 1;
const SUMMARY = 2;
const MAX_ROLES = 255;

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
  const summary = summaryOf(facts);
  writeUvar(w, level);
  writeUvar(w, (isWide ? WIDE : 0) | (summary === undefined ? 0 : SUMMARY));
  if (summary !== undefined) for (const number of [summary.window, summary.roles]) writeUvar(w, number);
  for (const number of [from, to, points, ...generations]) writeUvar(w, number);
  const n = pages.offset.length;
  writeUvar(w, n);
  const lists = new IntegerLists();
  for (const list of [pages.isInt64, pages.firstId, pages.lastId, pages.offset, pages.length]) lists.write(w, list, n);
}

/** Reads a footer of `length` bytes; at least four bytes follow it. Throws a DecodeError if it is damaged. */
export function readFooter(bytes: Uint8Array, length: number): Footer {
  const r = new ByteReader(bytes, 0, length);
  const level = readUvar(r);
  const kind = readUvar(r);
  const isSummary = kind >= SUMMARY;
  const summary = isSummary ? { window: readUvar(r), roles: readUvar(r) } : undefined;
  const [from = 0, to = 0, points = 0, first = 0, last = 0, n = 0] = Array.from({ length: 6 }, () => readUvar(r));
  // Offsets ascend, so that a list of them takes at least two bytes for each 64.
  const isWrong = kind > (WIDE | SUMMARY) || from > to || first > last || n > 32 * length;
  if (isWrong || (summary !== undefined && (summary.window === 0 || summary.roles > MAX_ROLES)))
    throw new DecodeError("ERR_OUT_OF_RANGE", "the facts of a block", 0);
  const pages = table(n);
  const lists = new IntegerLists();
  lists.read(r, pages.isInt64, n, 0, 1);
  lists.read(r, pages.firstId, n, 0, MAX_ID);
  lists.read(r, pages.lastId, n, 0, MAX_ID);
  lists.read(r, pages.offset, n, 0, MAX);
  lists.read(r, pages.length, n, 1, 2 ** 32 - 1);
  if (r.pos !== length) throw new DecodeError("ERR_TRAILING_BYTES", "bytes follow the footer", r.pos);
  const isWide = (kind & WIDE) !== 0;
  return { facts: { level, from, to, points, generations: [first, last], isWide, ...(summary && { summary }) }, pages };
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
