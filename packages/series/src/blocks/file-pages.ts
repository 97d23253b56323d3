/**
 * Reads immutable files by cached pages of 8 KiB. One call reads neighbouring pages, up to 1 MiB; small gaps between needed pages are read
 * too.
 */
import { ByteReader, MoonpackError } from "moonpack/bytes";
import { storeError } from "../drivers/store-error.js";
import type { ReadableFile, StoreFileSystem } from "../file-system/store-file-system.js";
import type { ByteCache, CacheEntry } from "./byte-cache.js";
import { CRC_BYTES, checkCrc } from "./format.js";

const PAGE_BITS = 13;
/** Bytes of a page. */
export const FILE_PAGE = 1 << PAGE_BITS;
const IN_PAGE = FILE_PAGE - 1;
/** Bytes of one read. */
export const MAX_READ = 2 ** 20;
/** Maximum number of open files. */
const MAX_OPEN = 256;

/** Memory of pages for jobs that read whole files, one after the other: until it was collected, each would take new memory. */
export type SparePages = Uint8Array<ArrayBuffer>[];

/** A page in memory. */
class FilePage implements CacheEntry {
  readonly bytes = FILE_PAGE + FILE_PAGE / 32 + 300;
  isUsed = true;
  readonly reader: ByteReader;
  /** A bit for each four bytes: 1 where a part begins that has been verified. No two parts begin in the same four bytes. */
  readonly #verified = new Uint8Array(FILE_PAGE / 32);
  readonly #pages: Map<number, FilePage>;
  readonly #number: number;

  constructor(content: Uint8Array<ArrayBuffer>, pages: Map<number, FilePage>, number: number) {
    this.reader = new ByteReader(content);
    this.#pages = pages;
    this.#number = number;
  }

  isVerified(at: number): boolean {
    return (this.#verified[at >>> 5]! & (1 << ((at >>> 2) & 7))) !== 0;
  }

  setVerified(at: number): void {
    this.#verified[at >>> 5]! |= 1 << ((at >>> 2) & 7);
  }

  drop(): void {
    if (this.#pages.get(this.#number) === this) this.#pages.delete(this.#number);
  }
}

/** Consecutive pages. They stay readable after the cache has dropped them. */
export class FileSpan {
  readonly #first: number;
  readonly #pages: readonly FilePage[];

  constructor(first: number, pages: readonly FilePage[]) {
    this.#first = first;
    this.#pages = pages;
  }

  /** True if the span has all bytes from `offset` (inclusive) to `end` (exclusive). */
  has(offset: number, end: number): boolean {
    return Math.floor(offset / FILE_PAGE) >= this.#first && (end - 1) / FILE_PAGE < this.#first + this.#pages.length;
  }

  /**
   * Returns a reader at a part of `length` bytes, whose checksum follows: of the page, or of a copy if the part is in several pages. Throws a
   * DecodeError for a wrong checksum. A part of a page is verified once.
   */
  readerAt(offset: number, length: number): ByteReader {
    const end = offset + length + CRC_BYTES;
    const first = Math.floor(offset / FILE_PAGE) - this.#first;
    const last = Math.floor((end - 1) / FILE_PAGE) - this.#first;
    if (first !== last) {
      const r = new ByteReader(this.copy(offset, end));
      checkCrc(r.bytes, r.view, 0, length);
      return r;
    }
    const page = this.#pages[first]!;
    const { reader } = page;
    const at = offset & IN_PAGE;
    if (!page.isVerified(at)) {
      checkCrc(reader.bytes, reader.view, at, at + length);
      page.setVerified(at);
    }
    page.isUsed = true;
    reader.pos = at;
    return reader;
  }

  /** The bytes from `offset` (inclusive) to `end` (exclusive), in memory that nothing else uses. */
  copy(offset: number, end: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(end - offset);
    for (let at = offset; at < end; ) {
      const page = this.#pages[Math.floor(at / FILE_PAGE) - this.#first]!;
      const from = at & IN_PAGE;
      const n = Math.min(FILE_PAGE - from, end - at);
      bytes.set(page.reader.bytes.subarray(from, from + n), at - offset);
      at += n;
    }
    return bytes;
  }
}

/** One file, read by pages. */
export class PagedFile {
  readonly path: string;
  readonly #handles: FileHandles;
  readonly #cache: ByteCache;
  readonly #spare: SparePages | undefined;
  readonly #pages = new Map<number, FilePage>();
  /** Bytes of the file. */
  readonly size: number;

  constructor(path: string, size: number, handles: FileHandles, cache: ByteCache, spare?: SparePages) {
    this.path = path;
    this.size = size;
    this.#handles = handles;
    this.#cache = cache;
    this.#spare = spare;
  }

  /** The pages with the bytes from `offset` (inclusive) to `end` (exclusive): at once if they are in memory. */
  span(offset: number, end: number): FileSpan | Promise<FileSpan> {
    const first = Math.floor(offset / FILE_PAGE);
    const last = Math.floor((end - 1) / FILE_PAGE);
    const pages: FilePage[] = [];
    for (let number = first; number <= last; number++) {
      const page = this.#pages.get(number);
      if (page === undefined) return this.#read(first, last);
      pages.push(page);
    }
    return new FileSpan(first, pages);
  }

  async #read(first: number, last: number): Promise<FileSpan> {
    const pages = Array.from({ length: last - first + 1 }, (_, i) => this.#pages.get(first + i));
    const reads: Promise<void>[] = [];
    for (let i = 0; i < pages.length; i++) {
      if (pages[i] !== undefined) continue;
      const start = i;
      while (i < pages.length && pages[i] === undefined && (i - start) * FILE_PAGE < MAX_READ) i++;
      reads.push(this.#readPages(first, start, i, pages));
      i--;
    }
    await Promise.all(reads);
    return new FileSpan(first, pages as FilePage[]);
  }

  /** Reads pages `from` to `to`, numbers after `first`, into the list. */
  async #readPages(first: number, from: number, to: number, pages: (FilePage | undefined)[]): Promise<void> {
    const start = (first + from) * FILE_PAGE;
    const whole = Array.from({ length: to - from }, () => this.#spare?.pop() ?? new Uint8Array(FILE_PAGE));
    const wanted = Math.min(whole.length * FILE_PAGE, this.size - start);
    const read = await this.#handles.use(this.path, (file) => file.read(whole, start));
    if (read < wanted) throw new MoonpackError("ERR_TRUNCATED", `${this.path} ends at byte ${start + read}`);
    whole.forEach((content, i) => {
      const number = first + from + i;
      const page = new FilePage(content, this.#pages, number);
      pages[from + i] = page;
      this.#pages.set(number, page);
      this.#cache.add(page);
    });
  }

  /** Gives the memory of all pages to the next job. No reader may use it any more. */
  giveBack(): void {
    for (const { reader } of this.#pages.values()) this.#spare?.push(reader.bytes as Uint8Array<ArrayBuffer>);
    this.#pages.clear();
  }

  /** Closes the file, and frees its cached pages. */
  async close(): Promise<void> {
    this.#pages.clear();
    await this.#handles.close(this.path);
  }
}

/** An open file, and the number of reads that use it. */
interface Handle {
  readonly file: Promise<ReadableFile>;
  uses: number;
  isStale: boolean;
}

/** Open files of a store. The files used last stay open. */
export class FileHandles {
  readonly #fileSystem: StoreFileSystem;
  readonly #open = new Map<string, Handle>();

  constructor(fileSystem: StoreFileSystem) {
    this.#fileSystem = fileSystem;
  }

  /** Opens a file if it is not open, and reads. Errors of the file system get a code of this package. */
  async use<T>(path: string, read: (file: ReadableFile) => Promise<T>): Promise<T> {
    let handle = this.#open.get(path);
    if (handle === undefined) {
      handle = { file: this.#fileSystem.openForReading(path), uses: 0, isStale: false };
      this.#open.set(path, handle);
      this.#closeOldest();
    }
    handle.uses++;
    try {
      return await read(await handle.file);
    } catch (error) {
      handle.isStale = true;
      if (this.#open.get(path) === handle) this.#open.delete(path);
      throw storeError(error, "the store");
    } finally {
      handle.uses--;
      if (handle.isStale && handle.uses === 0) await closeQuietly(handle);
    }
  }

  #closeOldest(): void {
    if (this.#open.size <= MAX_OPEN) return;
    for (const [path, handle] of this.#open) {
      this.#open.delete(path);
      handle.isStale = true;
      if (handle.uses === 0) void closeQuietly(handle);
      return;
    }
  }

  /** Closes a file when no read uses it. */
  async close(path: string): Promise<void> {
    const handle = this.#open.get(path);
    if (handle === undefined) return;
    this.#open.delete(path);
    handle.isStale = true;
    if (handle.uses === 0) await closeQuietly(handle);
  }

  async closeAll(): Promise<void> {
    for (const path of [...this.#open.keys()]) await this.close(path);
  }
}

/** Errors are ignored: the file was only read. */
async function closeQuietly({ file }: Handle): Promise<void> {
  await file.then((opened) => opened.close()).catch(() => undefined);
}
