/** The columns of a store: their specifications, and checks that all drivers of this package share. */
import { invalidArgument } from "moonpack/bytes";
import type { ColumnSpec, StoreOptions } from "./driver.js";

/** Maximum number of columns of a database. */
export const MAX_COLUMNS = 64;

/** Returns the complete specifications of columns. Names are unique and consist of letters, digits, `-` and `_`. */
export function columnSpecs({ columns }: StoreOptions): Required<ColumnSpec>[] {
  const specs = columns.map((column): Required<ColumnSpec> => {
    const { name, volume = "medium", compressible = false } = typeof column === "string" ? { name: column } : column;
    return { name, volume, compressible };
  });
  const names = new Set(specs.map(({ name }) => name));
  if (names.size !== specs.length) throw invalidArgument("two columns have the same name");
  if (specs.length > MAX_COLUMNS) throw invalidArgument(`a store has at most ${MAX_COLUMNS} columns`);
  for (const name of names) {
    // RocksDB always has a column "default"; in LevelDB's keys "!" ends the name.
    if (!/^[\w-]+$/.test(name) || name === "default")
      throw invalidArgument(`"${name}" is not a valid name of a column`);
  }
  return specs;
}

/** Returns the item of a column. Throws `ERR_INVALID_ARGUMENT` if the column does not exist. */
export function ofColumn<T>(items: readonly T[], column: number): T {
  const item = items[column];
  if (item === undefined)
    throw invalidArgument(`column ${column} does not exist: the store has ${items.length} columns`);
  return item;
}
