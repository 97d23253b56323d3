// The committed results of benchmarks, as testing/bench writes them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../repository.ts";

/** A table of results. */
export interface Table {
  readonly id: string;
  readonly columns: readonly { readonly id: string; readonly title: string }[];
  readonly rows: readonly {
    readonly id: string;
    readonly title: string;
    readonly values: Readonly<Record<string, number>>;
  }[];
}

/** A table of a suite. Throws an Error if the results lack it. */
export function tableOf(suite: string, id: string): Table {
  const path = `testing/bench/results/${suite}.json`;
  const { tables } = JSON.parse(readFileSync(join(root, path), "utf8")) as { tables: readonly Table[] };
  return tables.find((table) => table.id === id) ?? missing(path, id);
}

/** A figure of a table. Throws an Error if the results lack it. */
export function figureOf({ id, rows }: Table, row: string, column: string): number {
  return rows.find((one) => one.id === row)?.values[column] ?? missing(`${id}, ${row}`, column);
}

/** Throws an Error on results that a page shows and that are not there. */
export function missing(where: string, what: string): never {
  throw new Error(`The results of the benchmarks lack ${what} in ${where}, which a page shows.`);
}
