/** LevelDB alone: its keys on disk, and that its package may be missing. */

import { classicLevel } from "@moonpack/series-kv";
import { ClassicLevel } from "classic-level";
import { expect, test } from "vitest";
import { DRIVERS, digits, run, temporaryPaths } from "./driver-harness.ts";

const path = temporaryPaths();

test("a key on disk is the column's name, an exclamation mark and the key", async () => {
  const folder = path("keys");
  const store = await classicLevel().open(folder, {
    columns: ["meta", "minutes"],
    readOnly: false,
    maxCacheBytes: 2 ** 20,
  });
  const operations = [
    { column: 0, key: Buffer.from("format"), value: Uint8Array.of(0, 0, 0, 1) },
    { column: 1, key: Uint8Array.of(0x0a, 0xfa, 0, 0, 0, 2, 0x21, 0x55), value: Uint8Array.of(1) },
  ];
  await store.batch(operations, { sync: true });
  await store.close();
  const db = new ClassicLevel<Buffer, Buffer>(folder, { keyEncoding: "buffer", valueEncoding: "buffer" });
  const entries = (await db.iterator().all()).map(([key, value]) => [key.toString("latin1"), value.toString("hex")]);
  await db.close();
  expect(entries).toEqual([
    ["meta!format", "00000001"],
    ["minutes!\x0a\xfa\0\0\0\x02!U", "01"],
  ]);
});

test("deleted data is compacted after the next synced batch, and sizes are of columns", async () => {
  const store = await classicLevel().open(path("deleted"), {
    columns: ["a", "b"],
    readOnly: false,
    maxCacheBytes: 2 ** 20,
  });
  const keys = Array.from({ length: 11_000 }, (_, i) => digits(i));
  const value = Buffer.alloc(500);
  for (const column of [0, 1])
    for (let i = 0; i < keys.length; i += 500) {
      // Values that do not compress.
      const batch = keys.slice(i, i + 500).map((key, j) => {
        for (let k = 0; k < value.length; k += 4)
          value.writeUInt32LE((Math.imul(i + j, 2654435761) ^ Math.imul(k, 40503)) >>> 0, k);
        return { column, key, value: Buffer.from(value) };
      });
      await store.batch(batch, { sync: false });
    }
  await store.compact!(0);
  await store.compact!(1);
  const before = await store.size(0);
  expect(before).toBeGreaterThan(1e6);
  expect(await store.size(1)).toBeGreaterThan(1e6);
  await store.batch(
    keys.map((key) => ({ column: 0, key })),
    { sync: true },
  );
  for (let i = 0; i < 100 && (await store.size(0)) > 0; i++) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await store.size(0)).toBeLessThan(before / 100);
  expect(await store.size(1)).toBeGreaterThan(1e6);
  await store.close();
});

test("without its package the error says how to install it", async () => {
  const hooks = `export const resolve = (name, context, next) => {
    if (name === "classic-level") throw Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
    return next(name, context);
  };`;
  const program = `
    import { register } from "node:module";
    register("data:text/javascript," + encodeURIComponent(${JSON.stringify(hooks)}));
    const { classicLevel, rocksdb } = await import(${JSON.stringify(DRIVERS)});
    const options = { columns: ["one"], readOnly: false, maxCacheBytes: 2 ** 20 };
    const store = await rocksdb().open(${JSON.stringify(path("other"))}, options);
    await store.close();
    const open = classicLevel().open(${JSON.stringify(path("missing"))}, options);
    console.log(await open.catch((error) => [error.code, error.message].join(" ")));`;
  const { output } = await run(process.execPath, ["--input-type=module", "-e", program]);
  expect(output).toContain(
    "ERR_INVALID_ARGUMENT classicLevel() needs a package that is missing: npm install classic-level@3",
  );
});
