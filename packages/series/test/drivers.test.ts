/** What every driver promises, by the databases that have one. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Driver, Entry, Operation, Store } from "../dist/drivers/driver.js";
import { memory } from "../dist/drivers/memory.js";
import { rocksdb } from "../dist/drivers/rocksdb.js";

const folder = mkdtempSync(join(tmpdir(), "moonpack-drivers-"));
afterAll(() => rmSync(folder, { recursive: true }));

const options = { columns: ["one", "two"], readOnly: false, maxCacheBytes: 2 ** 20 };
const bytes = (...list: number[]) => Uint8Array.from(list);
const numbered = (i: number) => bytes(i >> 16, i >> 8, i);
let paths = 0;
const open = (driver: Driver) => driver.open(join(folder, `db${paths++}`), options);

async function all(
  store: Store,
  column: number,
  from: Uint8Array,
  to: Uint8Array,
  reverse = false,
): Promise<number[][]> {
  const list: Entry[] = [];
  for await (const piece of store.range(column, from, to, { reverse })) list.push(...piece);
  return list.map(([key, value]) => [...key, ...value]);
}

describe.each([memory(), rocksdb()])("$name", (driver) => {
  test("keys are ordered as unsigned bytes, in both directions", async () => {
    const store = await open(driver);
    const keys = [bytes(0), bytes(0, 0), bytes(1), bytes(1, 255), bytes(127), bytes(128), bytes(255), bytes(255, 0)];
    const shuffled = [5, 2, 7, 0, 3, 6, 1, 4].map((i) => keys[i]!);
    await store.batch(
      shuffled.map((key) => ({ column: 0, key, value: bytes(9) })),
      { sync: false },
    );
    const expected = keys.map((key) => [...key, 9]);
    expect(await all(store, 0, bytes(0), bytes(255, 255))).toEqual(expected);
    expect(await all(store, 0, bytes(0), bytes(255, 255), true)).toEqual(expected.toReversed());
    expect(await all(store, 0, bytes(1), bytes(128))).toEqual(expected.slice(2, 5));
    expect(await all(store, 1, bytes(0), bytes(255, 255))).toEqual([]);
    await store.close();
  });

  test("many values at once, empty ones and large ones, those that are missing", async () => {
    const store = await open(driver);
    const large = new Uint8Array(2 ** 20).map((_, i) => i * 7);
    const key = bytes(1);
    const value = bytes(5);
    await store.batch(
      [
        { column: 0, key, value },
        { column: 0, key: bytes(2), value: large },
        { column: 0, key: bytes(3), value: bytes() },
        { column: 1, key: bytes(1), value: bytes(6) },
      ],
      { sync: true },
    );
    key[0] = 9;
    value[0] = 9;
    const read = await store.getMany(0, [bytes(3), bytes(2), bytes(1), bytes(0)]);
    expect(read.map((each) => each && each.length)).toEqual([0, 2 ** 20, 1, undefined]);
    expect(Buffer.compare(read[1]!, large)).toBe(0);
    expect([...read[2]!]).toEqual([5]);
    await store.batch([{ column: 0, key: bytes(1) }], { sync: false });
    expect(await store.getMany(0, [bytes(1)])).toEqual([undefined]);
    expect((await store.getMany(1, [bytes(1)]))[0]).toHaveLength(1);
    await store.close();
  });

  test("a range is a snapshot, and a range that is left is closed", async () => {
    const store = await open(driver);
    const many: Operation[] = Array.from({ length: 5000 }, (_, i) => ({
      column: 0,
      key: numbered(i),
      value: new Uint8Array(100).fill(i),
    }));
    await store.batch(many, { sync: false });
    let seen = 0;
    for await (const piece of store.range(0, numbered(0), numbered(5000))) {
      if (seen === 0) {
        await store.batch(
          many.map(({ column, key }) => ({ column, key })),
          { sync: false },
        );
      }
      seen += piece.length;
    }
    expect(seen).toBe(5000);
    await store.batch(many, { sync: false });
    for await (const _piece of store.range(0, numbered(0), numbered(5000))) break;
    await store.deleteRange(0, numbered(10), numbered(4990));
    expect((await all(store, 0, numbered(0), numbered(5000))).length).toBe(20);
    await store.close();
  });

  test("after closing every call is ERR_CLOSED", async () => {
    const store = await open(driver);
    await store.close();
    await expect(store.getMany(0, [bytes(1)])).rejects.toMatchObject({ code: "ERR_CLOSED" });
    await expect(store.batch([{ column: 0, key: bytes(1) }], { sync: false })).rejects.toMatchObject({
      code: "ERR_CLOSED",
    });
    await store.close();
  });
});

describe("rocksdb", () => {
  test("keeps what was written, and locks the folder", async () => {
    const path = join(folder, "kept");
    const first = await rocksdb().open(path, options);
    await first.batch([{ column: 1, key: bytes(7), value: bytes(8) }], { sync: true });
    await expect(rocksdb().open(path, options)).rejects.toMatchObject({ code: "ERR_SERIES_LOCKED" });
    await first.close();
    const second = await rocksdb().open(path, options);
    expect([...(await second.getMany(1, [bytes(7)]))[0]!]).toEqual([8]);
    await second.close();
  });

  test("closing waits for writes and reads that are under way", async () => {
    const store = await open(rocksdb());
    const write = store.batch([{ column: 0, key: bytes(1), value: bytes(2) }], { sync: true });
    const read = store.getMany(0, [bytes(1)]);
    const closed = store.close();
    await Promise.all([write, read, closed]);
  });

  test("needs a path", async () => {
    await expect(rocksdb().open(undefined, options)).rejects.toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
  });
});
