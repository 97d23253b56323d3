/** The columns of a store: what their specification says, and checks that all drivers of this package share. */
import { invalidArgument } from "moonpack/bytes";
import type { ColumnSpec, StoreOptions } from "./driver.js";

/** Columns of one database. */
export const MAX_COLUMNS = 64;

/** The columns of a store, with all that is said of them. Names are unique and have only letters, digits, `-` and `_`. */
export function columnSpecs({ columns }: StoreOptions): Required<ColumnSpec>[] {
  const specs = columns.map((column): Required<ColumnSpec> => {
    const { name, volume = "medium", compressible = false } = typeof column === "string" ? { name: column } : column;
    return { name, volume, compressible };
  });
  const names = new Set(specs.map(({ name }) => name));
  if (names.size !== specs.length) throw invalidArgument("two columns have the same name");
  if (specs.length > MAX_COLUMNS) throw invalidArgument(`a store has at most ${MAX_COLUMNS} columns`);
  for (const name of names) {
    // RocksDB has a column "default" of its own; LevelDB's keys end the name with "!".
    if (!/^[\w-]+$/.test(name) || name === "default") throw invalidArgument(`"${name}" cannot name a column`);
  }
  return specs;
}

/** The item of a column; `ERR_INVALID_ARGUMENT` if there is no such column. */
export function ofColumn<T>(items: readonly T[], column: number): T {
  const item = items[column];
  if (item === undefined)
    throw invalidArgument(`the store has ${items.length} columns, none with the number ${column}`);
  return item;
}
