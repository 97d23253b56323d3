/**
 * Writes a block file (docs/series-format.md, "Blocks") from metrics by ascending id, each with its points by ascending time. Memory is
 * bounded: the bytes since the last flush, two unfinished index pages, and at most 8 MiB of finished ones.
 */
import { crc32 } from "node:zlib";
import { ByteWriter } from "moonpack/bytes";
import type { LogFile } from "../log/file-system.js";
import { ValueBlocks } from "../page/value-block.js";
import { Values64 } from "../page/values.js";
import { ColumnWriter } from "./column-writer.js";
import { type BlockFacts, PageTableBuilder, writeFooter } from "./footer.js";
import {
  blockHead,
  blockTail,
  CHUNK_POINTS,
  CRC_BYTES,
  type FooterPlace,
  PAGE_METRICS,
  WEEK,
  writeCrc,
} from "./format.js";
import { IndexBuilder } from "./index-builder.js";
import { IndexPages } from "./index-page.js";
import type { Summaries } from "./summary.js";

/** {@link BlockWriter.isFull} is true if more bytes than this wait. */
const FLUSH_BYTES = 256 * 1024;
/** Maximum bytes of index pages that wait for the end of the data. Further pages are written between data, so that memory is bounded. */
const MAX_INDEX_BYTES = 8 * 2 ** 20;
/** An index page with this many chunks is finished. */
const MAX_PAGE_CHUNKS = 16_384;

/** The result of writing a block. */
export interface WrittenBlock extends Pick<BlockFacts, "from" | "to" | "points"> {
  readonly bytes: number;
  readonly footer: FooterPlace;
}

/** Writes one block. */
export class BlockWriter {
  readonly #file: LogFile;
  readonly #out = new ByteWriter(FLUSH_BYTES + 65_536);
  /** Number of bytes in the file. */
  #written = 0;
  readonly #columns = new ColumnWriter();
  readonly #values = new ValueBlocks();
  readonly #pages = new IndexPages();
  readonly #floats = new IndexBuilder(false);
  readonly #int64s = new IndexBuilder(true);
  /** Finished index pages, and their offsets. */
  readonly #index = new ByteWriter(65_536);
  #waiting: { isInt64: boolean; firstId: number; lastId: number; start: number; length: number }[] = [];
  readonly #table = new PageTableBuilder();
  /** The current metric. */
  #builder = this.#floats;
  #place = 0;
  #chunksBefore = 0;
  #isFirst = true;
  /** Times of points that are not yet in a chunk, in milliseconds of one week. */
  readonly #times = new Int32Array(CHUNK_POINTS);
  readonly #points = new Values64(CHUNK_POINTS);
  #length = 0;
  #week = 0;
  #from = Number.POSITIVE_INFINITY;
  #to = 0;
  #count = 0;

  constructor(file: LogFile, number: number) {
    this.#file = file;
    this.#out.raw(blockHead(number));
  }

  /** Bytes of the file so far. */
  get size(): number {
    return this.#written + this.#out.pos;
  }

  /** True if {@link flush} must be called. */
  get isFull(): boolean {
    return this.#out.pos >= FLUSH_BYTES;
  }

  /** Number of points of the current metric that are not yet in a chunk. */
  get pending(): number {
    return this.#length;
  }

  /** Starts a metric. */
  startMetric(id: number, isInt64: boolean): void {
    this.#builder = isInt64 ? this.#int64s : this.#floats;
    if (this.#builder.length === PAGE_METRICS || this.#builder.chunks >= MAX_PAGE_CHUNKS) this.#endPage(this.#builder);
    this.#chunksBefore = this.#builder.chunks;
    this.#place = this.#builder.startMetric(id);
    this.#isFirst = true;
  }

  /**
   * Adds the points from `from` (inclusive) to `to` (exclusive), which follow the previous ones. Times are milliseconds. `isSummed`: false if
   * {@link fold} has counted them.
   */
  add(times: Float64Array, values: Values64, from: number, to: number, isSummed = true): void {
    if (from === to) return;
    if (isSummed) {
      this.#builder.summaries.add(this.#place, values, from, to, this.#builder.isInt64, this.#isFirst);
      this.#isFirst = false;
    }
    const target = this.#points.words;
    const source = values.words;
    for (let i = from; i < to; ) {
      const week = Math.floor(times[i]! / WEEK);
      if (week !== this.#week) this.#endChunk();
      this.#week = week;
      const start = week * WEEK;
      let n = this.#length;
      for (; i < to && n < CHUNK_POINTS; i++, n++) {
        const time = times[i]! - start;
        if (time >= WEEK) break;
        this.#times[n] = time;
        target[2 * n] = source[2 * i]!;
        target[2 * n + 1] = source[2 * i + 1]!;
      }
      this.#length = n;
      if (n === CHUNK_POINTS) this.#endChunk();
    }
  }

  /** Adds the summary of metric `k` of another block: all its points follow, by `add` and {@link copy}. */
  fold(summaries: Summaries, k: number): void {
    this.#builder.summaries.fold(this.#place, summaries, k, this.#builder.isInt64, this.#isFirst);
    this.#isFirst = false;
  }

  /** Adds a chunk of another block as it is, with its checksum. `times[0..n)` are the times of its points, in milliseconds. */
  copy(chunk: Uint8Array, times: Float64Array, n: number): void {
    this.#endChunk();
    this.#week = Math.floor(times[0]! / WEEK);
    const start = this.#week * WEEK;
    for (let i = 0; i < n; i++) this.#times[i] = times[i]! - start;
    this.#length = n;
    this.#put(chunk);
  }

  /** Ends the metric. Without points it is not in the block. */
  endMetric(): void {
    this.#endChunk();
    if (this.#builder.chunks === this.#chunksBefore) this.#builder.dropMetric();
  }

  /** Writes the waiting points, so that the next point starts a chunk. */
  #endChunk(): void {
    if (this.#length > 0) this.#put(undefined);
  }

  /** Writes the waiting points as a chunk, which may be encoded already, and their time column unless the block has it. */
  #put(chunk: Uint8Array | undefined): void {
    const out = this.#out;
    const column = this.#columns.of(this.#week, this.#times, this.#length, out, this.size);
    const offset = this.size;
    if (chunk !== undefined) out.raw(chunk);
    else {
      const start = out.pos;
      if (this.#builder.isInt64) this.#values.writeInt64s(out, this.#points, this.#length);
      else this.#values.writeFloats(out, this.#points, this.#length);
      writeCrc(out, start);
    }
    this.#builder.addChunk(offset, this.size - offset - CRC_BYTES, column);
    this.#length = 0;
  }

  #endPage(builder: IndexBuilder): void {
    if (builder.length === 0) return;
    const { summaries, isInt64 } = builder;
    const { page, from, to, points } = builder.take();
    const start = this.#index.pos;
    this.#pages.write(this.#index, page, summaries);
    const firstId = page.ids[0]!;
    const lastId = page.ids.at(-1)!;
    this.#waiting.push({ isInt64, firstId, lastId, start, length: this.#index.pos - start });
    this.#from = Math.min(this.#from, from);
    this.#to = Math.max(this.#to, to);
    this.#count += points;
    if (this.#index.pos >= MAX_INDEX_BYTES) this.#putIndex();
  }

  #putIndex(): void {
    const at = this.size;
    this.#out.raw(this.#index.written());
    for (const { isInt64, firstId, lastId, start, length } of this.#waiting)
      this.#table.add(isInt64, firstId, lastId, at + start, length);
    this.#waiting = [];
    this.#index.pos = 0;
  }

  /** Writes waiting bytes into the file. */
  async flush(): Promise<void> {
    const { out, position } = { out: this.#out, position: this.#written };
    await this.#file.write(out.written(), position);
    this.#written += out.pos;
    out.pos = 0;
  }

  /** Writes the index and the footer. The file is on disk when it resolves; the caller closes it. */
  async finish(facts: Pick<BlockFacts, "level" | "generations" | "isWide" | "summary">): Promise<WrittenBlock> {
    this.#endPage(this.#floats);
    this.#endPage(this.#int64s);
    this.#putIndex();
    const offset = this.size;
    const start = this.#out.pos;
    const [from, to, points] = [this.#count === 0 ? 0 : this.#from, this.#to, this.#count];
    writeFooter(this.#out, { ...facts, from, to, points }, this.#table.take());
    const length = this.#out.pos - start;
    const footer = { offset, length, crc: crc32(this.#out.bytes.subarray(start, this.#out.pos)) };
    this.#out.raw(blockTail(footer));
    const bytes = this.size;
    await this.flush();
    await this.#file.truncate(bytes);
    await this.#file.datasync();
    return { from, to, points, bytes, footer };
  }
}
