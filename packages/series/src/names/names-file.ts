/** Reads a names file: metrics by canonical form and by id, and ranges of the tag index. */
import { crc32 } from "node:zlib";
import { ByteReader, DecodeError } from "moonpack/bytes";
import type { ByteCache, CacheEntry } from "../blocks/byte-cache.js";
import type { FileSpan, PagedFile } from "../blocks/file-pages.js";
import { CRC_BYTES, checkCrc, type FooterPlace, TAIL_BYTES } from "../blocks/format.js";
import { IntegerLists } from "../blocks/integer-list.js";
import type { Entry } from "../drivers/driver.js";
import { damagedNames, ID_PAGE, type NamesDirectory, readDirectory, type TableDirectory } from "./names-format.js";
import { firstEntryAtLeast, pageOfEntry, readTablePage } from "./table-page.js";

/** A names file as the manifest describes it. */
export interface NamesEntry {
  readonly file: number;
  readonly metrics: number;
  readonly bytes: number;
  readonly footer: FooterPlace;
}

/** A decoded page. */
class CachedPage<T> implements CacheEntry {
  readonly content: T;
  readonly bytes: number;
  readonly drop: () => void;
  isUsed = true;

  constructor(content: T, bytes: number, drop: () => void) {
    this.content = content;
    this.bytes = bytes;
    this.drop = drop;
  }
}

/** A page of the id table. */
interface IdPage {
  readonly ids: Uint32Array;
  readonly numbers: Uint32Array;
}

/** Approximate memory of an entry in addition to its bytes. */
const ENTRY_BYTES = 220;

/** One names file of a store. */
export class NamesFile {
  readonly entry: NamesEntry;
  readonly #file: PagedFile;
  readonly #cache: ByteCache;
  #directory: Promise<NamesDirectory> | undefined;
  readonly #pages = new Map<number, CachedPage<readonly Entry[]>>();
  readonly #idPages = new Map<number, CachedPage<IdPage>>();

  constructor(entry: NamesEntry, file: PagedFile, cache: ByteCache) {
    this.entry = entry;
    this.#file = file;
    this.#cache = cache;
  }

  directory(): Promise<NamesDirectory> {
    this.#directory ??= this.#readDirectory().catch((error: unknown) => {
      // The next call tries again: the disk may have failed.
      this.#directory = undefined;
      throw error;
    });
    return this.#directory;
  }

  async #readDirectory(): Promise<NamesDirectory> {
    const { offset, length, crc } = this.entry.footer;
    const end = offset + length + TAIL_BYTES;
    const bytes = (await this.#file.span(offset, end)).copy(offset, end);
    return this.#checked(offset, "the directory", () => {
      if (crc32(bytes.subarray(0, length)) !== crc)
        throw new DecodeError("ERR_INVALID_BYTE", "the checksum does not match", 0);
      return readDirectory(bytes, length);
    });
  }

  #checked<T>(offset: number, part: string, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof DecodeError) throw damagedNames(this.entry.file, offset, part, error);
      throw error;
    }
  }

  /** The value of a canonical form: its id `u32 BE` and its type; undefined if it is not in the file. */
  async find(form: Uint8Array): Promise<Uint8Array | undefined> {
    return await this.#get((await this.directory()).forms, form);
  }

  /** The value of an entry of the tag index; undefined if it is not in the file. */
  async tag(key: Uint8Array): Promise<Uint8Array | undefined> {
    return await this.#get((await this.directory()).tags, key);
  }

  async #get(table: TableDirectory, key: Uint8Array): Promise<Uint8Array | undefined> {
    const number = pageWith(table, key);
    if (number < 0) return undefined;
    const page = this.#page(table, number);
    const entries = page instanceof Promise ? await page : page;
    const entry = entries[firstEntryAtLeast(entries, key)];
    return entry !== undefined && Buffer.compare(entry[0], key) === 0 ? entry[1] : undefined;
  }

  /** The canonical form of an id, and its value; undefined if it is not in the file. */
  async byId(id: number): Promise<Entry | undefined> {
    const { ids, forms } = await this.directory();
    let low = 0;
    let high = ids.lastId.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ids.lastId[middle]! < id) low = middle + 1;
      else high = middle;
    }
    if (low === ids.lastId.length || ids.firstId[low]! > id) return undefined;
    const page = await this.#idPage(ids.offset[low]!, ids.length[low]!);
    const at = page.ids.indexOf(id);
    if (at < 0) return undefined;
    const number = page.numbers[at]!;
    const entries = await this.#page(forms, pageOfEntry(number));
    return entries[number - 64 * pageOfEntry(number)];
  }

  async #idPage(offset: number, length: number): Promise<IdPage> {
    const cached = this.#idPages.get(offset);
    if (cached !== undefined) {
      cached.isUsed = true;
      return cached.content;
    }
    const bytes = (await this.#file.span(offset, offset + length)).copy(offset, offset + length);
    const page = this.#checked(offset, "a page of ids", () => readIdPage(bytes));
    this.#keep(this.#idPages, offset, page, 16 * ID_PAGE);
    return page;
  }

  /** The entries of a page. */
  #page(table: TableDirectory, number: number): readonly Entry[] | Promise<readonly Entry[]> {
    const offset = table.offset[number]!;
    const cached = this.#pages.get(offset);
    if (cached !== undefined) {
      cached.isUsed = true;
      return cached.content;
    }
    const end = offset + table.length[number]!;
    const decode = (span: FileSpan): readonly Entry[] => {
      const entries = this.#checked(offset, "a page of names", () => readTablePage(span.copy(offset, end)));
      this.#keep(this.#pages, offset, entries, 2 * (end - offset) + ENTRY_BYTES * entries.length);
      return entries;
    };
    const span = this.#file.span(offset, end);
    return span instanceof Promise ? span.then(decode) : decode(span);
  }

  #keep<T>(pages: Map<number, CachedPage<T>>, offset: number, content: T, bytes: number): void {
    const page = new CachedPage(content, bytes, () => {
      if (pages.get(offset) === page) pages.delete(offset);
    });
    pages.set(offset, page);
    this.#cache.add(page);
  }

  /** All canonical forms, page by page. */
  async *forms(): AsyncGenerator<readonly Entry[], void, undefined> {
    const { forms } = await this.directory();
    for (let i = 0; i < forms.offset.length; i++) yield await this.#page(forms, i);
  }

  /** The entries of the tag index from `from` (inclusive) to `to` (exclusive), page by page. */
  async *tags(from: Uint8Array, to: Uint8Array | undefined): AsyncGenerator<readonly Entry[], void, undefined> {
    const { tags } = await this.directory();
    for (let i = Math.max(pageWith(tags, from), 0); i < tags.offset.length; i++) {
      if (to !== undefined && tags.firstKey.compare(i, to) >= 0) return;
      const page = await this.#page(tags, i);
      const start = firstEntryAtLeast(page, from);
      const end = to === undefined ? page.length : firstEntryAtLeast(page, to);
      if (start < end) yield page.slice(start, end);
    }
  }

  /** Reads the pages of the id table. Throws `ERR_SERIES_CORRUPT` if it is damaged. */
  async checkIds(): Promise<void> {
    const { ids } = await this.directory();
    for (let i = 0; i < ids.offset.length; i++) await this.#idPage(ids.offset[i]!, ids.length[i]!);
  }

  /** Closes the file. */
  async close(): Promise<void> {
    await this.#file.close();
  }
}

function readIdPage(bytes: Uint8Array): IdPage {
  const end = bytes.length - CRC_BYTES;
  const r = new ByteReader(bytes, 0, Math.max(end, 0));
  if (end < 1) throw new DecodeError("ERR_TRUNCATED", "a page of ids is longer", 0, 1 - end);
  checkCrc(bytes, r.view, 0, end);
  const n = r.uvar32();
  if (n === 0 || n > ID_PAGE) throw new DecodeError("ERR_OUT_OF_RANGE", `${n} ids of a page`, 0);
  const ids = new Uint32Array(n);
  const numbers = new Uint32Array(n);
  const lists = new IntegerLists();
  lists.read(r, ids, n, 0, 2 ** 31 - 1);
  lists.read(r, numbers, n, 0, 2 ** 31 - 1);
  if (r.pos !== end) throw new DecodeError("ERR_TRAILING_BYTES", "bytes follow the ids", r.pos);
  return { ids, numbers };
}

/** The only page that may have `key`; -1 if none may. */
function pageWith({ firstKey }: TableDirectory, key: Uint8Array): number {
  let low = 0;
  let high = firstKey.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (firstKey.compare(middle, key) <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
