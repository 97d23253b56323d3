/** Writes a names file from sorted entries, with bounded memory, except for about 16 bytes per metric. */
import { crc32 } from "node:zlib";
import { ByteWriter } from "moonpack/bytes";
import { blockTail, type FooterPlace, writeCrc } from "../blocks/format.js";
import { IntegerLists } from "../blocks/integer-list.js";
import type { Entry } from "../drivers/driver.js";
import type { LogFile } from "../log/file-system.js";
import type { TimeSlices } from "../store/time-slices.js";
import { ID_PAGE, type IdDirectory, namesHead, type TableDirectory, writeDirectory } from "./names-format.js";
import { PageKeys } from "./page-keys.js";
import { sortedOrder } from "./sorted-order.js";
import { PAGE_ENTRIES, writeTablePage } from "./table-page.js";

const FLUSH_BYTES = 256 * 1024;

/** The result of writing a names file. */
export interface WrittenNames {
  readonly metrics: number;
  readonly bytes: number;
  readonly footer: FooterPlace;
}

/** Writes the pages of one table. */
class TableBuilder {
  readonly #offset: number[] = [];
  readonly #length: number[] = [];
  /** The first keys, one after the other, and their ends. */
  readonly #keys = new ByteWriter(1024);
  readonly #ends: number[] = [];
  /** The last key of the page before. */
  #before: Uint8Array = new Uint8Array(0);
  entries: Entry[] = [];

  endPage(w: ByteWriter, at: number): void {
    if (this.entries.length === 0) return;
    const start = w.pos;
    writeTablePage(w, this.entries);
    this.#offset.push(at);
    this.#length.push(w.pos - start);
    this.#keys.raw(separator(this.#before, this.entries[0]![0]));
    this.#ends.push(this.#keys.pos);
    this.#before = this.entries.at(-1)![0];
    this.entries = [];
  }

  directory(): TableDirectory {
    const ends = Uint32Array.from(this.#ends);
    const starts = ends.map((_, i) => (i === 0 ? 0 : ends[i - 1]!));
    return {
      offset: Float64Array.from(this.#offset),
      length: Uint32Array.from(this.#length),
      firstKey: new PageKeys(this.#keys.written(), starts, ends),
    };
  }
}

/** The shortest beginning of `key` that is greater than `before`: directories are in memory, and names may be long. */
function separator(before: Uint8Array, key: Uint8Array): Uint8Array {
  let common = 0;
  while (common < before.length && before[common] === key[common]) common++;
  return key.subarray(0, common + 1);
}

/** Writes one names file. */
export class NamesWriter {
  readonly #file: LogFile;
  readonly #out = new ByteWriter(FLUSH_BYTES + 65_536);
  #written = 0;
  readonly #forms = new TableBuilder();
  readonly #tags = new TableBuilder();
  #ids = new Uint32Array(1024);
  #metrics = 0;

  constructor(file: LogFile, number: number) {
    this.#file = file;
    this.#out.raw(namesHead(number));
  }

  get #size(): number {
    return this.#written + this.#out.pos;
  }

  /** Adds a metric: by ascending canonical form. The value is its id `u32 BE` and its type. */
  async form(form: Uint8Array, value: Uint8Array): Promise<void> {
    if (this.#metrics === this.#ids.length) {
      const larger = new Uint32Array(2 * this.#metrics);
      larger.set(this.#ids);
      this.#ids = larger;
    }
    this.#ids[this.#metrics++] = new DataView(value.buffer, value.byteOffset).getUint32(0);
    await this.#add(this.#forms, form, value);
  }

  /** Adds an entry of the tag index: by ascending key, after all forms. */
  async tag(key: Uint8Array, value: Uint8Array): Promise<void> {
    // The last page of forms, which is not full, comes before the first page of tags.
    this.#forms.endPage(this.#out, this.#size);
    await this.#add(this.#tags, key, value);
  }

  async #add(table: TableBuilder, key: Uint8Array, value: Uint8Array): Promise<void> {
    table.entries.push([key, value]);
    if (table.entries.length < PAGE_ENTRIES) return;
    table.endPage(this.#out, this.#size);
    if (this.#out.pos >= FLUSH_BYTES) await this.#flush();
  }

  async #flush(): Promise<void> {
    await this.#file.write(this.#out.written(), this.#written);
    this.#written += this.#out.pos;
    this.#out.pos = 0;
  }

  /** Writes the id table and the directory. The file is on disk when it resolves; the caller closes it. */
  async finish(slices: TimeSlices): Promise<WrittenNames> {
    this.#forms.endPage(this.#out, this.#size);
    this.#tags.endPage(this.#out, this.#size);
    const ids = await this.#writeIds(slices);
    const offset = this.#size;
    const start = this.#out.pos;
    const directories = { forms: this.#forms.directory(), tags: this.#tags.directory(), ids };
    writeDirectory(this.#out, { metrics: this.#metrics, ...directories });
    const length = this.#out.pos - start;
    const footer = { offset, length, crc: crc32(this.#out.bytes.subarray(start, this.#out.pos)) };
    this.#out.raw(blockTail(footer));
    const bytes = this.#size;
    await this.#flush();
    await this.#file.truncate(bytes);
    await this.#file.datasync();
    return { metrics: this.#metrics, bytes, footer };
  }

  /** For each id, by ascending id, the number of its canonical form. */
  async #writeIds(slices: TimeSlices): Promise<IdDirectory> {
    const n = this.#metrics;
    const order = await sortedOrder(this.#ids, n, slices);
    const lists = new IntegerLists();
    const pages: [offset: number, length: number, firstId: number, lastId: number][] = [];
    for (let i = 0; i < n; i += ID_PAGE) {
      const numbers = order.subarray(i, i + ID_PAGE);
      const ids = Uint32Array.from(numbers, (number) => this.#ids[number]!);
      const offset = this.#size;
      const start = this.#out.pos;
      this.#out.uvar32(ids.length);
      lists.write(this.#out, ids, ids.length);
      lists.write(this.#out, numbers, numbers.length);
      writeCrc(this.#out, start);
      pages.push([offset, this.#out.pos - start, ids[0]!, ids.at(-1)!]);
      if (this.#out.pos >= FLUSH_BYTES) await this.#flush();
      await slices.pause();
    }
    return {
      offset: Float64Array.from(pages, ([offset]) => offset),
      length: Uint32Array.from(pages, ([, length]) => length),
      firstId: Uint32Array.from(pages, ([, , firstId]) => firstId),
      lastId: Uint32Array.from(pages, ([, , , lastId]) => lastId),
    };
  }
}
