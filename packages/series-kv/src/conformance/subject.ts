/** The driver under test, and helpers of the cases. */
import assert from "node:assert/strict";
import type { ColumnSpec, Driver, Entry, Operation, RangeOptions, Store } from "../drivers/driver.js";

/** Optional promises of a driver. Each is tested unless it is false. */
export interface Promises {
  /** Data is kept when a database is closed and opened again. */
  readonly keeps?: boolean;
  /** A database is locked while it is open. */
  readonly locks?: boolean;
  /** Data written with `sync` survives SIGKILL. Needs {@link Subject.program}. */
  readonly survivesKill?: boolean;
  /** `readOnly` refuses writes, and opens only a database that exists. */
  readonly readOnly?: boolean;
  /** A range does not see later writes. */
  readonly snapshots?: boolean;
}

/** How another process gets the driver: a module exports a function without arguments that returns it. */
export interface Program {
  /** The URL of the module. */
  readonly module: string;
  /** The name of the export. */
  readonly export: string;
}

/** A driver under test. */
export interface Subject {
  /** The driver. */
  readonly driver: Driver;
  /** A folder for one database; undefined for a driver whose databases are in memory. */
  readonly path?: string;
  /** The driver in another process, for tests that kill it. */
  readonly program?: Program;
  /** Promises that the driver does not keep are false. Default: all are tested. */
  readonly promises?: Promises;
  /** Removes what a test has left. Called when it has ended. */
  clean?(): void | Promise<void>;
}

/** A case of the suite. It is skipped if the driver does not give a promise that it needs. */
export interface Case {
  readonly name: string;
  readonly needs: readonly (keyof Promises)[];
  run(subject: Subject): Promise<void>;
}

/** The columns of the cases' stores. A driver may keep values of the first one in memory. */
export const COLUMNS: readonly (string | ColumnSpec)[] = [{ name: "one", volume: "high" }, "two", "three"];
/** A cache size that lets drivers keep some values. */
export const CACHE_BYTES = 2 ** 22;
export const ONE = 0;
export const TWO = 1;
export const THREE = 2;

/** Opens the database of a subject. */
export function open({ driver, path }: Subject, options: { readOnly?: boolean } = {}): Promise<Store> {
  return driver.open(path, { columns: COLUMNS, readOnly: options.readOnly === true, maxCacheBytes: CACHE_BYTES });
}

/** Runs `act` with an open store, and closes it. */
export async function withStore(subject: Subject, act: (store: Store) => Promise<void>): Promise<void> {
  const store = await open(subject);
  try {
    await act(store);
  } finally {
    await store.close();
  }
}

/** Bytes by their values. */
export function bytes(...values: number[]): Uint8Array {
  return Uint8Array.from(values);
}

/** A key of four bytes. */
export function numbered(n: number): Uint8Array {
  const key = new Uint8Array(4);
  new DataView(key.buffer).setUint32(0, n);
  return key;
}

/** An operation. */
export function put(column: number, key: Uint8Array, value: Uint8Array): Operation {
  return { column, key, value };
}

/** All entries of a range, each as its key and its value in hex. */
export async function entriesOf(
  store: Store,
  column: number,
  from: Uint8Array,
  to: Uint8Array,
  options?: RangeOptions,
): Promise<string[]> {
  const list: Entry[] = [];
  for await (const piece of store.range(column, from, to, options)) list.push(...piece);
  return list.map(([key, value]) => `${hex(key)} ${hex(value)}`);
}

/** Bytes in hex. */
export function hex(value: Uint8Array): string {
  return Buffer.from(value.buffer, value.byteOffset, value.length).toString("hex");
}

/** Fails unless these are the values, in hex. */
export function equalValues(
  actual: readonly (Uint8Array | undefined)[],
  expected: readonly (string | undefined)[],
): void {
  assert.deepEqual(
    actual.map((value) => value && hex(value)),
    expected,
  );
}

/** Fails unless `act` fails with this code. */
export async function rejectsWith(code: string, act: () => Promise<unknown>): Promise<void> {
  await assert.rejects(act, (error: { code?: unknown }) => {
    assert.equal(error.code, code, String(error));
    return true;
  });
}
