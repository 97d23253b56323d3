/** The table files of a database, by their columns. */
import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { columnOfTable, TAIL_BYTES } from "./table-file.js";

/** A table file. Table files are immutable. */
interface TableFile {
  readonly column: string;
  readonly bytes: number;
}

/** The files in a database's folder. */
export class TableFiles {
  readonly #folder: string;
  /** Files whose columns are known. */
  #known = new Map<string, TableFile>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the names and bytes of a column's files, without files that are being written. */
  async ofColumn(column: string): Promise<ReadonlyMap<string, number>> {
    const known = new Map<string, TableFile>();
    for (const name of await readdir(this.#folder)) {
      if (!name.endsWith(".sst")) continue;
      const file = this.#known.get(name) ?? (await this.#read(name));
      if (file !== undefined) known.set(name, file);
    }
    this.#known = known;
    const files = [...known].filter(([, file]) => file.column === column);
    return new Map(files.map(([name, { bytes }]) => [name, bytes]));
  }

  async #read(name: string): Promise<TableFile | undefined> {
    const path = join(this.#folder, name);
    try {
      const { size: bytes } = await stat(path);
      const tail = Buffer.alloc(Math.min(bytes, TAIL_BYTES));
      const file = await open(path);
      try {
        await file.read(tail, 0, tail.length, bytes - tail.length);
      } finally {
        await file.close();
      }
      const column = columnOfTable(tail, bytes);
      return column === undefined ? undefined : { column, bytes };
    } catch (error) {
      // Compaction may delete files at any time.
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }
}
