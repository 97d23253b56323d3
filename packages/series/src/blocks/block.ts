/**
 * Reads a block file: its footer, index pages, time columns and chunks, each verified by its checksum. Cached data is returned
 * synchronously, other data by a promise.
 */
import { crc32 } from "node:zlib";
import { DecodeError, MoonpackError } from "moonpack/bytes";
import { TimeColumns, Times } from "../page/time-column.js";
import { ValueBlocks } from "../page/value-block.js";
import type { Values64 } from "../page/values.js";
import type { ByteCache } from "./byte-cache.js";
import { CachedIndex, TimeColumn } from "./cached-parts.js";
import type { FileSpan, PagedFile } from "./file-pages.js";
import { type BlockFacts, type Footer, type PageTable, readFooter, summaryOf } from "./footer.js";
import { CRC_BYTES, type DamagedPart, damagedBlock, type FooterPlace, ROLE_BITS, TAIL_BYTES, WEEK } from "./format.js";
import { type IndexPage, IndexPages } from "./index-page.js";

/** A block as the manifest describes it. */
export interface BlockEntry extends BlockFacts {
  readonly file: number;
  readonly bytes: number;
  readonly footer: FooterPlace;
}

/** A value, or a promise of it. */
export type Soon<T> = T | Promise<T>;

/** Memory for decoding, shared by all blocks of a store, and valid within one call only. */
export class BlockDecoders {
  readonly pages = new IndexPages();
  readonly columns = new TimeColumns();
  readonly times = new Times();
  readonly values = new ValueBlocks();
}

/** The index pages of one type, by ascending id. */
interface Directory {
  readonly firstId: Uint32Array;
  readonly lastId: Uint32Array;
  /** The number of each page in the footer. */
  readonly number: Uint32Array;
}

/** The position of a metric in a block. */
export interface FoundMetric {
  readonly page: IndexPage;
  /** Its place in the page. */
  readonly place: number;
}

/** One block of a store. */
export class Block {
  readonly entry: BlockEntry;
  readonly #file: PagedFile;
  readonly #cache: ByteCache;
  readonly #decoders: BlockDecoders;
  #footer: Soon<Footer> | undefined;
  #directories: readonly [Directory, Directory] | undefined;
  readonly #indexes = new Map<number, CachedIndex>();
  readonly #reading = new Map<number, Promise<IndexPage>>();
  readonly #columns = new Map<number, TimeColumn>();

  constructor(entry: BlockEntry, file: PagedFile, cache: ByteCache, decoders: BlockDecoders) {
    this.entry = entry;
    this.#file = file;
    this.#cache = cache;
    this.#decoders = decoders;
  }

  /** The footer. Throws `ERR_SERIES_CORRUPT` if it is damaged. */
  footer(): Soon<Footer> {
    return (this.#footer ??= this.#readFooter());
  }

  async #readFooter(): Promise<Footer> {
    const { offset, length, crc } = this.entry.footer;
    try {
      const bytes = (await this.#file.span(offset, offset + length + TAIL_BYTES)).copy(
        offset,
        offset + length + TAIL_BYTES,
      );
      if (crc32(bytes.subarray(0, length)) !== crc)
        throw new DecodeError("ERR_INVALID_BYTE", "the checksum does not match", offset);
      const footer = readFooter(bytes, length);
      this.#directories = [directoryOf(footer.pages, 0), directoryOf(footer.pages, 1)];
      this.#footer = footer;
      return footer;
    } catch (error) {
      // The next call tries again: the disk may have failed.
      this.#footer = undefined;
      throw this.#damage(error, { offset, part: "footer", metrics: [0, 2 ** 31 - 1] });
    }
  }

  /** Returns the number of the index page that may contain a metric; -1 if there is none. The footer must have been read. */
  pageOf(id: number, isInt64: boolean): number {
    const { firstId, lastId, number } = this.#directories![isInt64 ? 1 : 0];
    let low = 0;
    let high = lastId.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lastId[middle]! < id) low = middle + 1;
      else high = middle;
    }
    return low < number.length && firstId[low]! <= id ? number[low]! : -1;
  }

  /** An index page by its number in the footer. Throws `ERR_SERIES_CORRUPT` if it is damaged. */
  index(number: number): Soon<IndexPage> {
    const cached = this.#indexes.get(number);
    if (cached === undefined) return this.#readIndex(number);
    cached.isUsed = true;
    return cached.page;
  }

  #readIndex(number: number): Soon<IndexPage> {
    const reading = this.#reading.get(number);
    if (reading !== undefined) return reading;
    const { pages } = this.#footer as Footer;
    const offset = pages.offset[number]!;
    const end = offset + pages.length[number]!;
    const decode = (span: FileSpan): IndexPage => {
      try {
        const page = this.#decoders.pages.read(span.copy(offset, end));
        const cached = new CachedIndex(page, () => this.#indexes.delete(number));
        this.#indexes.set(number, cached);
        this.#cache.add(cached);
        return page;
      } catch (error) {
        const metrics = [pages.firstId[number]!, pages.lastId[number]!] as const;
        throw this.#damage(error, { offset, part: "index page", metrics });
      }
    };
    const span = this.#file.span(offset, end);
    if (!(span instanceof Promise)) return decode(span);
    const read = span.then(decode).finally(() => this.#reading.delete(number));
    this.#reading.set(number, read);
    return read;
  }

  /** Returns the position of a metric; undefined if the block has no points of it. */
  find(id: number, isInt64: boolean): Soon<FoundMetric | undefined> {
    const footer = this.footer();
    if (footer instanceof Promise) return footer.then(() => this.#findIn(id, isInt64));
    return this.#findIn(id, isInt64);
  }

  #findIn(id: number, isInt64: boolean): Soon<FoundMetric | undefined> {
    const number = this.pageOf(id, isInt64);
    if (number < 0) return undefined;
    const page = this.index(number);
    return page instanceof Promise ? page.then((read) => placeIn(read, id)) : placeIn(page, id);
  }

  /** A time column of a page. Throws `ERR_SERIES_CORRUPT` if it is damaged. */
  column(page: IndexPage, number: number): Soon<TimeColumn> {
    const offset = page.columns.offset[number]!;
    const cached = this.#columns.get(offset);
    if (cached !== undefined) {
      cached.isUsed = true;
      return cached;
    }
    const end = offset + page.columns.length[number]! + CRC_BYTES;
    const span = this.#file.span(offset, end);
    return span instanceof Promise
      ? span.then((read) => this.#readColumn(page, number, read))
      : this.#readColumn(page, number, span);
  }

  #readColumn(page: IndexPage, number: number, span: FileSpan): TimeColumn {
    const { week, offset, length, count, first, last } = page.columns;
    const start = offset[number]!;
    try {
      const r = span.readerAt(start, length[number]!);
      const end = r.pos + length[number]!;
      const { columns, times } = this.#decoders;
      const n = columns.read(r, times, WEEK);
      const { values } = times;
      if (r.pos !== end || n !== count[number] || values[0] !== first[number] || values[n - 1] !== last[number])
        throw new DecodeError("ERR_OUT_OF_RANGE", "other times than the index says", start);
      const base = week[number]! * WEEK;
      const absolute = new Float64Array(n);
      for (let i = 0; i < n; i++) absolute[i] = base + values[i]!;
      const column = new TimeColumn(absolute, () => this.#columns.delete(start));
      this.#columns.set(start, column);
      this.#cache.add(column);
      return column;
    } catch (error) {
      const { ids } = page;
      const base = week[number]! * WEEK;
      const span = { from: base + first[number]!, to: base + last[number]! };
      throw this.#damage(error, { offset: start, part: "time column", metrics: [ids[0]!, ids.at(-1)!], ...span });
    }
  }

  /** Returns the range of bytes in the file from a first chunk to `last` (inclusive). */
  span(page: IndexPage, first: number, last: number): Soon<FileSpan> {
    return this.#file.span(page.offsets[first]!, page.offsets[last]! + page.lengths[last]! + CRC_BYTES);
  }

  /** Decodes the points of a chunk from `first` to `last` (exclusive) into `values`. Throws `ERR_SERIES_CORRUPT` if it is damaged. */
  decode(
    { page, place }: FoundMetric,
    chunk: number,
    span: FileSpan,
    values: Values64,
    first = 0,
    last?: number,
  ): void {
    const offset = page.offsets[chunk]!;
    const length = page.lengths[chunk]!;
    try {
      const r = span.readerAt(offset, length);
      const end = r.pos + length;
      const isInt64 = this.#decoders.values.read(r, values, page.columns.count[page.columnOf[chunk]!]!, first, last);
      if (r.pos !== end || isInt64 !== page.isInt64)
        throw new DecodeError("ERR_OUT_OF_RANGE", "other values than the index says", offset);
    } catch (error) {
      const id = page.ids[place]!;
      const times = { from: page.firstOf(chunk), to: page.lastOf(chunk) };
      throw this.#damage(error, { offset, part: "chunk", metrics: [id, id], ...times });
    }
  }

  /** Returns the bytes of a chunk with its checksum, which has been verified. */
  raw({ page, place }: FoundMetric, chunk: number, span: FileSpan): Uint8Array {
    const offset = page.offsets[chunk]!;
    const length = page.lengths[chunk]!;
    try {
      const r = span.readerAt(offset, length);
      return r.bytes.subarray(r.pos, r.pos + length + CRC_BYTES);
    } catch (error) {
      const id = page.ids[place]!;
      const times = { from: page.firstOf(chunk), to: page.lastOf(chunk) };
      throw this.#damage(error, { offset, part: "chunk", metrics: [id, id], ...times });
    }
  }

  /** Adds the metrics and the times of the lost points to an error for damage. Returns other errors unchanged. */
  #damage(error: unknown, damaged: Pick<DamagedPart, "offset" | "part" | "metrics"> & Partial<DamagedPart>): unknown {
    const isTruncated = error instanceof MoonpackError && error.code === "ERR_TRUNCATED";
    if (!(error instanceof DecodeError) && !isTruncated) return error;
    const { file, from, to } = this.entry;
    const [first, last] = damaged.metrics;
    // Errors name the metrics, not their roles.
    const metrics =
      summaryOf(this.entry) === undefined
        ? ([first, last] as const)
        : ([first >>> ROLE_BITS, last >>> ROLE_BITS] as const);
    return damagedBlock({ file, from, to, ...damaged, metrics }, error);
  }

  /** Gives the memory of all pages to the next job. Readers must have ended. */
  giveBack(): void {
    this.#file.giveBack();
  }

  /** Closes the file. Readers must have ended. */
  async close(): Promise<void> {
    await this.#file.close();
  }
}

function directoryOf(pages: PageTable, type: number): Directory {
  const numbers: number[] = [];
  pages.isInt64.forEach((isInt64, i) => {
    if (isInt64 === type) numbers.push(i);
  });
  return {
    firstId: Uint32Array.from(numbers, (i) => pages.firstId[i]!),
    lastId: Uint32Array.from(numbers, (i) => pages.lastId[i]!),
    number: Uint32Array.from(numbers),
  };
}

function placeIn(page: IndexPage, id: number): FoundMetric | undefined {
  const place = page.find(id);
  return place < 0 ? undefined : { page, place };
}
