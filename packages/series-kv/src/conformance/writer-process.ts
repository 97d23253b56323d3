// A program of the suite: opens a database and writes synced batches for ever. After each it prints their number.
// Arguments: the URL of a module, the name of its function that returns the driver, the path of the database.
import type { Driver } from "../drivers/driver.js";
import { CACHE_BYTES, COLUMNS, numbered, ONE, put, TWO } from "./subject.js";

const [, , url, name, path] = process.argv;
const module = (await import(url!)) as Record<string, () => Driver>;
const store = await module[name!]!().open(path, { columns: COLUMNS, readOnly: false, maxCacheBytes: CACHE_BYTES });
for (let i = 0; ; i++) {
  const value = Buffer.alloc(100, i);
  await store.batch([put(ONE, numbered(i), value), put(TWO, numbered(i), value)], { sync: true });
  process.stdout.write(`${i + 1}\n`);
}
