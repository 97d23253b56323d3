/**
 * Index pages (docs/series-format.md, "Index pages"): the positions of the chunks and time columns of up to 256 metrics, and a summary of
 * each metric. All metrics of a page have one type.
 */
import { ByteReader, type ByteWriter, DecodeError } from "moonpack/bytes";
import { readUvar, writeUvar } from "../page/numbers.js";
import { ValueBlocks } from "../page/value-block.js";
import type { Values64 } from "../page/values.js";
import {
  CHUNK_POINTS,
  CRC_BYTES,
  checkCrc,
  INDEX_HEAD_BYTES,
  INDEX_MAGIC,
  PAGE_METRICS,
  WEEK,
  writeCrc,
} from "./format.js";
import { IntegerLists } from "./integer-list.js";
import { Summaries } from "./summary.js";

const INT64 = 1;
const MAX_ID = 2 ** 31 - 1;
const MAX_OFFSET = 2 ** 51;
const MAX_LENGTH = 2 ** 31;
/** Weeks of the times that a store holds. */
const MAX_WEEK = 65_535;
const MAX_CHUNKS = 2 ** 24;

/** The time columns of a page, in parallel lists. */
export class ColumnTable {
  readonly week: Uint32Array;
  readonly offset: Float64Array;
  readonly length: Uint32Array;
  readonly count: Uint32Array;
  /** Milliseconds in the week. */
  readonly first: Uint32Array;
  readonly last: Uint32Array;

  constructor(n: number) {
    this.week = new Uint32Array(n);
    this.offset = new Float64Array(n);
    this.length = new Uint32Array(n);
    this.count = new Uint32Array(n);
    this.first = new Uint32Array(n);
    this.last = new Uint32Array(n);
  }
}

/** The parts of a page that are decoded at once. */
type PageLists = Pick<IndexPage, "isInt64" | "ids" | "starts" | "offsets" | "lengths" | "columnOf" | "columns">;

/** An index page in memory. */
export class IndexPage {
  readonly isInt64: boolean;
  /** Ascending. */
  readonly ids: Uint32Array;
  /** Metric i has the chunks from `starts[i]` (inclusive) to `starts[i + 1]` (exclusive), by ascending time. */
  readonly starts: Uint32Array;
  readonly offsets: Float64Array;
  readonly lengths: Uint32Array;
  /** The number of the time column of each chunk. */
  readonly columnOf: Uint32Array;
  readonly columns: ColumnTable;
  /** The encoded summaries, which are decoded on demand. */
  readonly #rest: Uint8Array<ArrayBuffer>;
  #summaries: Summaries | undefined;

  constructor(lists: PageLists, rest: Uint8Array<ArrayBuffer>) {
    this.isInt64 = lists.isInt64;
    this.ids = lists.ids;
    this.starts = lists.starts;
    this.offsets = lists.offsets;
    this.lengths = lists.lengths;
    this.columnOf = lists.columnOf;
    this.columns = lists.columns;
    this.#rest = rest;
  }

  /** Bytes of memory, with the summaries. */
  get bytes(): number {
    return 200 + 64 * this.ids.length + 16 * this.offsets.length + 28 * this.columns.week.length + this.#rest.length;
  }

  /** Returns the position of a metric; -1 if it is not in the page. */
  find(id: number): number {
    const { ids } = this;
    let low = 0;
    let high = ids.length - 1;
    // Most pages have consecutive ids.
    const guess = id - ids[0]!;
    if (ids[guess] === id) return guess;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = ids[middle]!;
      if (found === id) return middle;
      if (found < id) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** The time of a chunk's first point, in milliseconds. */
  firstOf(chunk: number): number {
    const column = this.columnOf[chunk]!;
    return this.columns.week[column]! * WEEK + this.columns.first[column]!;
  }

  /** The time of a chunk's last point. */
  lastOf(chunk: number): number {
    const column = this.columnOf[chunk]!;
    return this.columns.week[column]! * WEEK + this.columns.last[column]!;
  }

  /** Points of metric `i`. */
  pointsOf(i: number): number {
    let points = 0;
    for (let chunk = this.starts[i]!; chunk < this.starts[i + 1]!; chunk++)
      points += this.columns.count[this.columnOf[chunk]!]!;
    return points;
  }

  /** The summaries of all metrics of the page. */
  get summaries(): Summaries {
    return (this.#summaries ??= readSummaries(new ByteReader(this.#rest, 0, this.#rest.length - CRC_BYTES), this));
  }
}

/** Writes and reads index pages. They share reused memory. */
export class IndexPages {
  readonly #lists = new IntegerLists();
  readonly #blocks = new ValueBlocks();

  /** Writes a page with the summaries of its metrics. */
  write(w: ByteWriter, page: IndexPage, summaries: Summaries): void {
    const start = w.pos;
    const { ids, starts, offsets, lengths, columnOf, columns, isInt64 } = page;
    const n = ids.length;
    const chunks = offsets.length;
    w.u32(INDEX_MAGIC, true);
    w.u32(0, true);
    w.u8(isInt64 ? INT64 : 0);
    writeUvar(w, n);
    writeUvar(w, columns.week.length);
    this.#lists.write(w, ids, n);
    this.#lists.write(w, differences(starts), n);
    writeUvar(w, offsets[0]!);
    this.#lists.write(w, gapsOf(offsets, lengths), chunks - 1);
    this.#lists.write(w, lengths, chunks);
    this.#lists.write(w, columnOf, chunks);
    for (const list of listsOf(columns)) this.#lists.write(w, list, columns.week.length);
    this.#lists.write(w, summaries.nans, n);
    let before: Values64 | undefined;
    let from = w.pos;
    for (const { values, isInt64: isExact } of partsOf(summaries, isInt64)) {
      const at = w.pos;
      // Metrics with one point each have the same values in most parts. Encoding them again would take most of the time of a page.
      if (before !== undefined && isExact === isInt64 && areEqual(before, values, n)) w.raw(w.bytes.subarray(from, at));
      else if (isExact) this.#blocks.writeInt64s(w, values, n);
      else this.#blocks.writeFloats(w, values, n);
      from = at;
      before = values;
    }
    w.view.setUint32(start + 4, w.pos - start - INDEX_HEAD_BYTES, true);
    writeCrc(w, start);
  }

  /** Reads the page at `bytes[0..length)`, its checksum included. Throws a DecodeError if it is damaged. */
  read(bytes: Uint8Array): IndexPage {
    const end = bytes.length - CRC_BYTES;
    if (end < INDEX_HEAD_BYTES) throw new DecodeError("ERR_TRUNCATED", "an index page is longer", 0, -end);
    const r = new ByteReader(bytes, 0, end);
    checkCrc(bytes, r.view, 0, end);
    if (r.u32(true) !== INDEX_MAGIC) throw new DecodeError("ERR_INVALID_BYTE", "not an index page", 0);
    if (r.u32(true) !== end - INDEX_HEAD_BYTES) throw new DecodeError("ERR_OUT_OF_RANGE", "another length", 4);
    const flags = r.u8();
    const n = readUvar(r);
    const columns = readUvar(r);
    if (flags > INT64 || n === 0 || n > PAGE_METRICS || columns === 0 || columns > MAX_CHUNKS)
      throw new DecodeError("ERR_OUT_OF_RANGE", "the metrics of an index page", INDEX_HEAD_BYTES);
    const ids = new Uint32Array(n);
    this.#lists.read(r, ids, n, 0, MAX_ID);
    const starts = new Uint32Array(n + 1);
    this.#lists.read(r, starts.subarray(1), n, 1, MAX_CHUNKS);
    let chunks = 0;
    for (let i = 1; i <= n; i++) starts[i] = chunks += starts[i]!;
    // Each column has chunks, and a metric has at most one chunk of a column.
    if (chunks > MAX_CHUNKS || columns > chunks || chunks > n * columns)
      throw new DecodeError("ERR_OUT_OF_RANGE", `${chunks} chunks`, r.pos);
    const first = readUvar(r);
    const offsets = new Float64Array(chunks);
    this.#lists.read(r, offsets.subarray(1), chunks - 1, -MAX_OFFSET, MAX_OFFSET);
    const lengths = new Uint32Array(chunks);
    this.#lists.read(r, lengths, chunks, 1, MAX_LENGTH);
    offsets[0] = first;
    for (let i = 1; i < chunks; i++) offsets[i]! += offsets[i - 1]! + lengths[i - 1]! + CRC_BYTES;
    const columnOf = new Uint32Array(chunks);
    this.#lists.read(r, columnOf, chunks, 0, columns - 1);
    const table = new ColumnTable(columns);
    const greatest = [MAX_WEEK, MAX_OFFSET, MAX_LENGTH, CHUNK_POINTS, WEEK - 1, WEEK - 1];
    listsOf(table).forEach((list, i) => {
      this.#lists.read(r, list, columns, i === 2 || i === 3 ? 1 : 0, greatest[i]!);
    });
    for (let i = 1; i < n; i++)
      if (ids[i]! <= ids[i - 1]!) throw new DecodeError("ERR_OUT_OF_RANGE", "ids that do not ascend", 0);
    for (const list of [offsets, table.offset])
      if (list.some((at) => at < 0)) throw new DecodeError("ERR_OUT_OF_RANGE", "a part before the file", 0);
    const lists = { isInt64: flags === INT64, ids, starts, offsets, lengths, columnOf, columns: table };
    return new IndexPage(lists, bytes.slice(r.pos) as Uint8Array<ArrayBuffer>);
  }
}

function readSummaries(r: ByteReader, { ids, isInt64 }: IndexPage): Summaries {
  const n = ids.length;
  const summaries = new Summaries(n);
  const blocks = new ValueBlocks();
  new IntegerLists().read(r, summaries.nans, n, 0, MAX_OFFSET);
  for (const { values } of partsOf(summaries, isInt64)) blocks.read(r, values, n);
  if (r.pos !== r.end) throw new DecodeError("ERR_TRAILING_BYTES", "bytes follow the summaries", r.pos);
  return summaries;
}

/** The value blocks of summaries, in their order. */
function partsOf(summaries: Summaries, isInt64: boolean): readonly { values: Values64; isInt64: boolean }[] {
  const { min, max, first, last, sum, rest } = summaries;
  const exact = [min, max, first, last].map((values) => ({ values, isInt64 }));
  return [...exact, ...[sum, rest].map((values) => ({ values, isInt64: false }))];
}

function listsOf(table: ColumnTable): readonly (Uint32Array | Float64Array)[] {
  return [table.week, table.offset, table.length, table.count, table.first, table.last];
}

/** True if the first `n` values have the same bits. */
function areEqual(a: Values64, b: Values64, n: number): boolean {
  for (let i = 0; i < 2 * n; i++) if (a.words[i] !== b.words[i]) return false;
  return true;
}

function differences(starts: Uint32Array): Uint32Array {
  const counts = starts.slice(1);
  for (let i = 0; i < counts.length; i++) counts[i]! -= starts[i]!;
  return counts;
}

/** Returns the number of bytes between a chunk and the previous one: usually 0, or the length of a time column. */
function gapsOf(offsets: Float64Array, lengths: Uint32Array): Float64Array {
  const gaps = offsets.slice(1);
  for (let i = 0; i < gaps.length; i++) gaps[i]! -= offsets[i]! + lengths[i]! + CRC_BYTES;
  return gaps;
}
