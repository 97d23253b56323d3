/** Reads every part of the files of a store, and returns the damaged parts. */
import type { Damage } from "../api.js";
import type { Block } from "../blocks/block.js";
import { blockName, PAGE_METRICS } from "../blocks/format.js";
import { SeriesError } from "../errors.js";
import type { NamesFile } from "../names/names-file.js";
import { namesName } from "../names/names-format.js";
import { Values64 } from "../page/values.js";
import { TimeSlices } from "../store/time-slices.js";
import type { FileStore } from "./file-store.js";

const CHUNK_ROOM = 512;

/** Checks blocks and names. */
export async function checkFiles(store: FileStore): Promise<Damage[]> {
  const damage: Damage[] = [];
  const slices = new TimeSlices();
  const { blocks, summaries, files } = store.view;
  for (const block of [...blocks, ...summaries.flatMap((windows) => windows.blocks)])
    await new Checker(damage, blockName(block.entry.file), "blocks").block(block, slices);
  for (const names of files) await new Checker(damage, namesName(names.entry.file), "names").names(names, slices);
  return damage;
}

class Checker {
  readonly #damage: Damage[];
  readonly #file: string;
  readonly #column: string;
  readonly #values = new Values64(CHUNK_ROOM);

  constructor(damage: Damage[], file: string, column: string) {
    this.#damage = damage;
    this.#file = file;
    this.#column = column;
  }

  async block(block: Block, slices: TimeSlices): Promise<void> {
    const footer = await this.#attempt(async () => await block.footer());
    if (footer === undefined) return;
    for (let number = 0; number < footer.pages.offset.length; number++) {
      const page = await this.#attempt(async () => {
        const read = await block.index(number);
        // Summaries are decoded on demand.
        void read.summaries;
        return read;
      });
      if (page === undefined) continue;
      for (let column = 0; column < page.columns.week.length; column++)
        await this.#attempt(async () => await block.column(page, column));
      for (let place = 0; place < Math.min(page.ids.length, PAGE_METRICS); place++) {
        for (let chunk = page.starts[place]!; chunk < page.starts[place + 1]!; chunk++)
          await this.#attempt(async () => {
            block.decode({ page, place }, chunk, await block.span(page, chunk, chunk), this.#values);
          });
        await slices.pause();
      }
    }
  }

  async names(names: NamesFile, slices: TimeSlices): Promise<void> {
    await this.#attempt(async () => {
      for await (const _ of names.forms()) await slices.pause();
    });
    await this.#attempt(async () => {
      for await (const _ of names.tags(new Uint8Array(0), undefined)) await slices.pause();
    });
    await this.#attempt(() => names.checkIds());
  }

  async #attempt<T>(read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof SeriesError) || error.code !== "ERR_SERIES_CORRUPT") throw error;
      this.#damage.push({ column: this.#column, key: new TextEncoder().encode(this.#file), message: error.message });
      return undefined;
    }
  }
}
