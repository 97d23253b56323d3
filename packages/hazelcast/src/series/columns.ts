/** The maps of a store: one for each column, with a sorted index of its keys, and one for who has the store. */
import type { ColumnSpec } from "@moonpack/series/drivers";
import type { Client, IMap } from "hazelcast-client";
import { invalidArgument } from "moonpack/bytes";

/** A map of a column: keys as lower-case hex, which has the order of the bytes. */
export type ColumnMap = IMap<string, Buffer>;

/** Entries that tell of the store itself. */
export type ControlMap = IMap<string, string>;

/** A column and its map. */
export interface Column {
  readonly name: string;
  readonly map: ColumnMap;
}

/** The map that tells of the store. No column's map has this name: names of columns have no colon. */
export function controlMap(client: Client, name: string): Promise<ControlMap> {
  return client.getMap(`${name}:store`);
}

/** The maps of columns. `ERR_INVALID_ARGUMENT` for names that are taken twice, or that no map should have. */
export async function columnMaps(
  client: Client,
  name: string,
  specs: readonly (string | ColumnSpec)[],
): Promise<Column[]> {
  const names = specs.map((spec) => (typeof spec === "string" ? spec : spec.name));
  if (new Set(names).size !== names.length) throw invalidArgument("two columns have the same name");
  const wrong = names.find((column) => !/^[\w-]+$/.test(column));
  if (wrong !== undefined) throw invalidArgument(`"${wrong}" cannot name a column`);
  return Promise.all(
    names.map(async (column) => ({ name: column, map: await client.getMap<string, Buffer>(`${name}.${column}`) })),
  );
}

/** Adds the index by which members find ranges of keys. One that is there stays. */
export async function addIndexes(columns: readonly Column[]): Promise<void> {
  await Promise.all(columns.map(({ map }) => map.addIndex({ type: "SORTED", attributes: ["__key"] })));
}

/** The column of a number; `ERR_INVALID_ARGUMENT` if there is none. */
export function columnOf(columns: readonly Column[], number: number): Column {
  const column = columns[number];
  if (column === undefined)
    throw invalidArgument(`the store has ${columns.length} columns, none with the number ${number}`);
  return column;
}
