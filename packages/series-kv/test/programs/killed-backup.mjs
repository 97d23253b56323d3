// Is killed while it writes a backup. Arguments: the path of a new store, the path of the backup.

import { openSeries } from "../../../series/build/index.js";
import { kv, rocksdb } from "../../build/index.js";

const [, , path, to] = process.argv;
const inner = rocksdb();
let opened = 0;
const driver = {
  name: inner.name,
  async open(folder, options) {
    const store = await inner.open(folder, options);
    // The second one is the backup's: its pages are never written.
    if (++opened === 2) store.batch = () => process.kill(process.pid, "SIGKILL");
    return store;
  },
};
const series = await openSeries({ path, driver: kv(driver), durability: "sync" });
const now = Date.now();
const times = Float64Array.from({ length: 1000 }, (_, i) => now - i);
await series.writeColumn({ name: "m" }, times, times);
await series.flush();
await series.backup(to);
