/** The maps of a store: one for each column, with a sorted index of its keys, and one for the owner and identity of the store. */
import type { ColumnSpec } from "@moonpack/series-kv";
import type { Client, IMap } from "hazelcast-client";
import { invalidArgument } from "moonpack/bytes";

/** The map of a column. Keys are lower-case hex, which sorts like the bytes. */
export type ColumnMap = IMap<string, Buffer>;

/** The map of the store's owner and identity. */
export type ControlMap = IMap<string, string>;

/** A column and its map. */
export interface Column {
  readonly name: string;
  readonly map: ColumnMap;
}

/** Returns the map of the store's owner and identity. Its name is unique: names of columns have no colon. */
export function controlMap(client: Client, name: string): Promise<ControlMap> {
  return client.getMap(`${name}:store`);
}

/** Returns the maps of columns. Throws `ERR_INVALID_ARGUMENT` for a duplicate or invalid name. */
export async function columnMaps(
  client: Client,
  name: string,
  specs: readonly (string | ColumnSpec)[],
): Promise<Column[]> {
  const names = specs.map((spec) => (typeof spec === "string" ? spec : spec.name));
  if (new Set(names).size !== names.length) throw invalidArgument("two columns have the same name");
  const wrong = names.find((column) => !/^[\w-]+$/.test(column));
  if (wrong !== undefined) throw invalidArgument(`"${wrong}" is not a valid name of a column`);
  return Promise.all(
    names.map(async (column) => ({ name: column, map: await client.getMap<string, Buffer>(`${name}.${column}`) })),
  );
}

/** Adds the sorted index that members use to find ranges of keys. An existing index stays. */
export async function addIndexes(columns: readonly Column[]): Promise<void> {
  await Promise.all(columns.map(({ map }) => map.addIndex({ type: "SORTED", attributes: ["__key"] })));
}

/** Returns the column with a number. Throws `ERR_INVALID_ARGUMENT` if it does not exist. */
export function columnOf(columns: readonly Column[], number: number): Column {
  const column = columns[number];
  if (column === undefined)
    throw invalidArgument(`column ${number} does not exist: the store has ${columns.length} columns`);
  return column;
}
