/** Migrates a store, and prints its progress: the process may be killed at any time. `node migrating.mjs OLD NEW DRIVER` */
import { migrate } from "@moonpack/series";
import { classicLevel, rocksdb } from "@moonpack/series-kv";

const [path, to, driver] = process.argv.slice(2);
let week;
const result = await migrate({ path, driver: driver === "rocksdb" ? rocksdb() : classicLevel() }, to, {
  onProgress(progress) {
    if (progress.phase === "compare" || progress.week === week) return;
    week = progress.week;
    process.stdout.write(`${week}\n`);
  },
});
process.stdout.write(`${JSON.stringify(result)}\n`);
